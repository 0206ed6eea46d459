import { withReads } from '@switchyard/expressions';
import { Conductor, type ConductorError, parseWorkflow } from '@switchyard/workflow';
import { Player } from './player';
import { Store } from './store';

const view = (conductor: Conductor): unknown => [conductor.status, [...conductor.tasks], conductor.errors];

describe('a refused call', () => {
  const refusals: [string, (play: Player) => unknown, string, string][] = [
    ['an unknown status', (play) => play.request('happy'), 'InvalidStatus', 'Status "happy" is not valid.'],
    ['a status that cannot be requested', (play) => play.request('pending'), 'InvalidEvent', 'Event "workflow_pending" is not valid.'],
    ['an unreachable status', (play) => play.request('succeeded') && play.request('resuming'), 'InvalidWorkflowStatusTransition', 'Unable to process event "workflow_resuming" for workflow in "succeeded" status.'],
    ['an unknown task', (play) => play.report('z', 'running'), 'InvalidTask', 'Task "z" does not exist.'],
    ['an unreached task', (play) => play.report('b', 'running'), 'InvalidTaskStateEntry', 'Task "b" is not staged or has not started yet.'],
    ['a rerun of a running workflow', (play) => play.conductor.rerun(), 'WorkflowIsActiveAndNotRerunableError', 'Unable to rerun workflow because it is not in a completed state.'],
    ['a rerun of tasks that did not run', (play) => { play.startAll(); play.report('a', 'failed'); play.conductor.rerun([{ task: 'b' }, { task: 'a', route: 3 }]); }, 'InvalidTaskRerunRequest', "Unable to rerun task|route(s) because it doesn't exist or isn't rerunnable: b|0, a|3"],
  ]; // oxfmt-ignore

  it.each(refusals)('for %s contains the reason', (_name, call, kind, message) => {
    const play = new Player('tasks: {a: {action: x.y, next: [{when: <% succeeded() %>, do: b}]}, b: {action: x.y}}');
    expect(() => call(play)).toThrow(expect.objectContaining({ kind, message }) as ConductorError);
  });
});

describe('a call that needs a value to be read first', () => {
  const spec = parseWorkflow(`
version: 1.0
tasks:
  a:
    action: x.y
    next:
      - {publish: [{one: 1}], do: b}
      - {when: "<% st2kv('system.go') = yes %>", publish: [{two: "<% st2kv('system.two') %>"}], do: c}
  b: {action: x.y}
  c: {action: x.y, join: all, input: {two: <% ctx().two %>}}
`);

  it('changes nothing until the value is there', async () => {
    const store = new Store();
    const conductor = Conductor.create(spec);
    conductor.requestStatus('running');
    conductor.nextTasks();
    conductor.taskEvent({ task: 'a', route: 0, status: 'running' });
    store.save(conductor);
    const asked: string[] = [];
    const values: Record<string, string> = { go: 'yes', two: '2' };
    await withReads((read) => {
      expect(view(conductor)).toEqual(['running', [['a:0', 'running']], []]);
      expect(conductor.takeChanges()).toBeUndefined();
      conductor.taskEvent(
        { task: 'a', route: 0, status: 'succeeded' },
        {
          lookups: {
            datastore: ({ name }) =>
              read(name, () => {
                asked.push(name);
                return Promise.resolve(values[name]);
              }),
          },
        },
      );
    });
    expect(asked).toEqual(['go', 'two']);
    expect(conductor.nextTasks().map(({ task, actions }) => [task, actions[0]?.input])).toEqual([
      ['b', null],
      ['c', { two: '2' }],
    ]);
  });
});

describe('events', () => {
  it('that are repeated or late change nothing', () => {
    const play = new Player('tasks: {a: {action: x.y, next: [{do: b}]}, b: {action: x.y}}');
    play.startAll();
    play.report('a', 'succeeded');
    const before = view(play.conductor);
    play.conductor.takeChanges();
    play.report('a', 'succeeded');
    play.report('a', 'running');
    expect(view(play.conductor)).toEqual(before);
    expect(play.conductor.takeChanges()).toBeUndefined();
  });

  it('may arrive without a start', () => {
    const play = new Player('tasks: {a: {action: x.y}}');
    play.handOut();
    expect(play.report('a', 'succeeded')).toBe('succeeded');
  });

  it('of a finished attempt are ignored', () => {
    const play = new Player('tasks: {a: {action: x.y, retry: {count: 1}}}');
    play.startAll();
    const first = { task: 'a', route: 0, round: 1, attempt: 0 } as const;
    play.conductor.taskEvent({ ...first, status: 'failed' });
    play.startAll();
    play.conductor.taskEvent({ ...first, status: 'failed' });
    expect([play.status, play.task('a')]).toEqual(['running', 'running']);
  });

  it('with a round distinguish two overlapping runs of a task', () => {
    const play = new Player(`
vars: [{n: 0}]
tasks:
  a: {action: x.y, next: [{do: 'b, c'}]}
  b: {action: x.y, next: [{when: <% ctx().n < 1 %>, publish: [{n: 1}], do: c}]}
  c: {action: x.y, next: [{when: <% false %>, do: b}]}
`);
    play.startAll();
    play.report('a', 'succeeded');
    play.startAll();
    play.report('b', 'succeeded');
    const [second] = play.conductor.nextTasks();
    expect(second).toMatchObject({ task: 'c', round: 2 });
    const run = (round: number) => ({ task: 'c', route: 0, round });
    play.conductor.taskEvent({ ...run(2), status: 'running' });
    play.conductor.taskEvent({ ...run(1), status: 'succeeded' });
    expect(play.status).toBe('running');
    play.conductor.taskEvent({ ...run(2), status: 'succeeded' });
    expect(play.status).toBe('succeeded');
  });
});

it('lists unfinished tasks', () => {
  const play = new Player(`
tasks:
  a: {action: x.y}
  b: {action: x.y, retry: {count: 1}}
  t: {action: x.y, with: '<% list(1, 2) %>'}
`);
  play.startAll();
  play.report('b', 'failed');
  play.item('t', 0, 'succeeded');
  const run = { route: 0, round: 1, attempt: 0 };
  expect([...play.conductor.underway]).toEqual([
    { task: 'a', ...run },
    { task: 't', ...run, item: 1 },
  ]);
  expect(play.conductor.hasActiveTasks).toBe(true);
});

it('accepts the end of a task whatever was requested meanwhile', () => {
  for (const asked of ['pausing', 'canceling', 'paused'] as const) {
    const play = new Player('tasks: {a: {action: x.y}}');
    play.startAll();
    play.report('a', asked);
    play.report('a', 'succeeded');
    expect(play.task('a')).toBe('succeeded');
  }
});

describe('limits', () => {
  it.each([
    ['tasks', { entries: 5 }, 'p: LimitExceeded: The workflow may not run more than 5 tasks.'],
    ['published values', { publishedBytes: 40 }, 'p: LimitExceeded: The workflow has published more than 40 bytes.'],
  ])('of %s end an endless loop', (_name, limits, message) => {
    const play = new Player(
      'vars: [{n: 0}]\ntasks:\n  s: {action: x.y, next: [{do: p}]}\n  p: {action: x.y, next: [{publish: [{n: <% ctx().n + 1 %>}], do: p}]}',
      {},
      { limits },
    );
    play.finish();
    expect([play.status, play.messages()]).toEqual(['failed', [message]]);
  });

  it('of items end a list that is too long', () => {
    const play = new Player("tasks: {t: {action: x.y, with: '<% range(10) %>'}}", {}, { limits: { items: 9 } });
    expect(play.handOut()).toEqual([]);
    expect([play.status, play.messages()]).toEqual([
      'failed',
      ['t: LimitExceeded: The workflow has more than 9 items.'],
    ]);
  });
});
