import { Player } from './player';

const FAILED = 'Execution failed. See result for details.';
const stuck = (join: string): string =>
  `${join}: UnreachableJoinError: The join task|route "${join}|0" is partially satisfied but unreachable.`;

const JOIN_ON_SUCCESS = `
tasks:
  a: {action: x.y, next: [{when: <% succeeded() %>, do: j}]}
  b: {action: x.y, next: [{when: <% succeeded() %>, do: j}]}
  j: {action: x.y, join: all}
`;

describe('a join with a failed branch', () => {
  it('becomes unreachable, and runs after a rerun of the branch', () => {
    const play = new Player(JOIN_ON_SUCCESS);
    expect(play.startAll()).toEqual(['a', 'b']);
    expect(play.report('a', 'succeeded')).toBe('running');
    expect(play.handOut()).toEqual([]);
    expect(play.report('b', 'failed')).toBe('failed');
    expect(play.messages()).toEqual([`b: ${FAILED}`, stuck('j')]);
    play.conductor.rerun();
    expect(play.status).toBe('resuming');
    expect(play.finish()).toEqual(['b', 'j']);
    expect(play.status).toBe('succeeded');
    expect(play.messages()).toEqual([stuck('j')]);
  });

  it('does not count as reached when the failure comes first', () => {
    const play = new Player(JOIN_ON_SUCCESS);
    play.startAll();
    expect(play.report('b', 'failed')).toBe('failed');
    expect(play.report('a', 'succeeded')).toBe('failed');
    expect(play.messages()).toEqual([`b: ${FAILED}`]);
  });

  it('runs anyway when both branches lead to it on any outcome', () => {
    const play = new Player(JOIN_ON_SUCCESS.replaceAll('succeeded()', 'completed()'));
    play.startAll();
    expect(play.report('b', 'failed')).toBe('running');
    play.report('a', 'succeeded');
    expect(play.finish()).toEqual(['j']);
    expect(play.status).toBe('succeeded');
    expect(play.messages()).toEqual([`b: ${FAILED}`]);
  });
});

it('contexts are passed on and merged at a join', () => {
  const play = new Player(`
vars: [{x: 0}]
output: [{o: <% ctx().w %>}, {p: <% ctx().o %>}]
tasks:
  a: {action: x.y, next: [{publish: [{x: <% result() %>}, {y: <% ctx().x %>}], do: c}]}
  b: {action: x.y, next: [{publish: [{z: 1}], do: c}]}
  c: {action: x.y, join: all, next: [{publish: [{w: <% ctx().x + ctx().y + ctx().z %>}]}]}
`);
  play.startAll();
  play.report('a', 'succeeded', 5);
  play.report('b', 'succeeded');
  expect(play.finish()).toEqual(['c']);
  expect(play.status).toBe('succeeded');
  expect(play.task('continue')).toBe('succeeded');
  expect(play.conductor.output()).toEqual({ o: 11, p: 11 });
});

describe('a list of four items, two at a time', () => {
  const definition = `
vars: [{list: [a, b, c, d]}]
output: [{r: <% ctx().r %>}]
tasks:
  t1:
    with: {items: x in <% ctx().list %>, concurrency: 2}
    action: x.y
    input: {v: <% item(x) %>}
    next: [{when: <% succeeded() %>, publish: [{r: <% result() %>}], do: t2}]
  t2: {action: x.y}
`;
  function untilFailure(): Player {
    const play = new Player(definition);
    expect(play.startAll()).toEqual(['t1#0,1']);
    play.item('t1', 0, 'succeeded', 'A');
    expect(play.startAll()).toEqual(['t1#2']);
    expect(play.item('t1', 1, 'failed', 'B')).toBe('running');
    expect(play.handOut()).toEqual(['t1#3']);
    expect(play.item('t1', 2, 'succeeded', 'C')).toBe('failed');
    expect(play.task('t1')).toBe('failed');
    expect(play.handOut()).toEqual([]);
    return play;
  }

  it('continues from where it failed', () => {
    const play = untilFailure();
    play.conductor.rerun([{ task: 't1' }]);
    expect(play.startAll()).toEqual(['t1#1,3']);
    play.item('t1', 1, 'succeeded', 'B2');
    play.item('t1', 3, 'succeeded', 'D');
    expect(play.finish()).toEqual(['t2']);
    expect(play.conductor.output()).toEqual({ r: ['A', 'B2', 'C', 'D'] });
    expect(play.messages()).toEqual([]);
  });

  it('restarts if requested', () => {
    const play = untilFailure();
    play.conductor.rerun([{ task: 't1', resetItems: true }]);
    expect(play.handOut()).toEqual(['t1#0,1']);
  });

  it('stops in the middle while it is paused', () => {
    const play = new Player(definition);
    play.startAll();
    expect(play.request('paused')).toBe('pausing');
    expect(play.task('t1')).toBe('pausing');
    play.item('t1', 0, 'succeeded');
    expect(play.item('t1', 1, 'succeeded')).toBe('paused');
    expect(play.task('t1')).toBe('paused');
    expect(play.request('resuming')).toBe('resuming');
    expect(play.startAll()).toEqual(['t1#2,3']);
    expect([play.status, play.task('t1')]).toEqual(['running', 'running']);
  });

  it('starts no more items when it is canceled', () => {
    const play = new Player(definition);
    play.startAll();
    expect(play.request('canceled')).toBe('canceling');
    play.item('t1', 0, 'succeeded');
    expect(play.item('t1', 1, 'succeeded')).toBe('canceled');
    expect(play.handOut()).toEqual([]);
  });
});

it('a loop has an entry for each round', () => {
  const play = new Player(`
vars: [{n: 0}]
output: [{n: <% ctx().n %>}]
tasks:
  prep: {action: x.y, next: [{do: poll}]}
  poll:
    action: x.y
    next:
      - {when: <% ctx().n < 2 %>, publish: [{n: <% ctx().n + 1 %>}], do: poll}
      - {when: <% ctx().n >= 2 %>, do: done}
  done: {action: x.y}
`);
  expect(play.finish()).toEqual(['prep', 'poll', 'poll', 'poll', 'done']);
  expect(play.conductor.output()).toEqual({ n: 2 });
});

describe('a task with two retries', () => {
  const definition = `
tasks:
  t1: {action: x.y, delay: 7, retry: {count: 2, delay: 3}, next: [{when: <% succeeded() %>, do: t2}]}
  t2: {action: x.y}
`;
  const delayOf = (play: Player): number | undefined => play.conductor.nextTasks()[0]?.delay;

  it('is tried three times on one entry and then fails', () => {
    const play = new Player(definition);
    expect(delayOf(play)).toBe(7);
    for (const attempt of ['e1', 'e2']) {
      play.startAll();
      expect(play.report('t1', 'failed', attempt)).toBe('running');
      expect(play.task('t1')).toBe('retrying');
      expect(delayOf(play)).toBe(3);
    }
    play.startAll();
    expect(play.report('t1', 'failed', 'e3')).toBe('failed');
    expect(play.conductor.errors.map(({ result }) => result)).toEqual(['e1', 'e2', 'e3']);
  });

  it('keeps the errors of attempts before the one that succeeds; a timeout leaves none', () => {
    const play = new Player(definition);
    play.startAll();
    play.report('t1', 'failed', 'e1');
    play.startAll();
    play.report('t1', 'timeout');
    expect(play.finish()).toEqual(['t1', 't2']);
    expect([play.status, play.messages()]).toEqual(['succeeded', [`t1: ${FAILED}`]]);
  });

  it('waits for its retry until a paused workflow resumes', () => {
    const play = new Player(definition);
    play.startAll();
    expect(play.request('pausing')).toBe('pausing');
    expect(play.report('t1', 'failed')).toBe('paused');
    expect(play.handOut()).toEqual([]);
    play.request('resuming');
    expect(play.startAll()).toEqual(['t1']);
    expect(play.status).toBe('running');
  });

  it('is not retried once the workflow is canceled', () => {
    const play = new Player(definition);
    play.startAll();
    play.report('t1', 'failed');
    expect(play.request('canceled')).toBe('canceled');
    expect([play.task('t1'), play.handOut()]).toEqual(['canceled', []]);
  });
});

describe('pausing while tasks run', () => {
  it('holds the next tasks of both branches', () => {
    const play = new Player(`
tasks:
  a: {action: x.y, next: [{do: a2}]}
  a2: {action: x.y}
  b: {action: x.y, next: [{do: b2}]}
  b2: {action: x.y}
`);
    play.startAll();
    expect(play.request('paused')).toBe('pausing');
    expect(play.report('a', 'succeeded')).toBe('pausing');
    expect(play.handOut()).toEqual([]);
    expect(play.report('b', 'succeeded')).toBe('paused');
    expect(play.request('resuming')).toBe('resuming');
    expect(play.finish()).toEqual(['a2', 'b2']);
    expect(play.status).toBe('succeeded');
  });

  it('completes at once when nothing is left, and keeps a failure', () => {
    const one = 'tasks: {a: {action: x.y}}';
    const play = new Player(one);
    play.startAll();
    play.request('paused');
    expect(play.report('a', 'succeeded')).toBe('paused');
    expect(play.request('resuming')).toBe('succeeded');
    const other = new Player(one);
    other.startAll();
    other.request('paused');
    expect(other.report('a', 'failed')).toBe('failed');
    expect(() => other.request('resuming')).toThrow(
      'Unable to process event "workflow_resuming" for workflow in "failed" status.',
    );
  });
});

it('a resumed action resumes a workflow that waits for it', () => {
  const play = new Player('tasks: {a: {action: x.y, next: [{do: c}]}, b: {action: x.y}, c: {action: x.y}}');
  play.startAll();
  expect(play.report('a', 'paused')).toBe('running');
  expect(play.report('a', 'running')).toBe('running');
  expect(play.report('b', 'succeeded')).toBe('running');
  expect(play.report('a', 'paused')).toBe('paused');
  expect(play.report('a', 'running')).toBe('running');
  expect(play.task('a')).toBe('running');
});

it.each(['publish: [{x: <% result().result %>}]', 'when: <% result().result = 1 %>'])(
  'the cancellation of a task whose transition needs its result cancels the workflow: %s',
  (transition) => {
    const play = new Player(`tasks: {a: {action: x.y, next: [{${transition}, do: b}]}, b: {action: x.y}}`);
    play.startAll();
    expect(play.request('canceled')).toBe('canceling');
    expect(play.report('a', 'canceled', { message: 'Action canceled by user.', user: 'bob' })).toBe('canceled');
    expect([play.handOut(), play.messages()]).toEqual([[], []]);
  },
);

it('tasks reached together with fail run, and nothing after them', () => {
  const play = new Player(`
vars: [{e: none}]
output: [{e: <% ctx().e %>}]
tasks:
  a: {action: x.y, next: [{when: <% failed() %>, publish: [{e: <% result() %>}], do: [cleanup, fail]}]}
  cleanup: {action: x.y, next: [{do: after}]}
  after: {action: x.y}
`);
  play.startAll();
  expect(play.report('a', 'failed', 'bad')).toBe('failed');
  expect(play.finish()).toEqual(['cleanup']);
  expect(play.status).toBe('failed');
  expect(play.messages()).toEqual([`a: ${FAILED}`, `fail: ${FAILED}`]);
  expect(play.conductor.output()).toEqual({ e: 'bad' });
});

it('a rerun of a branch includes tasks that the failure kept from starting', () => {
  const play = new Player(`
tasks:
  a: {action: x.y, next: [{when: <% succeeded() %>, do: a2}]}
  a2: {action: x.y}
  b: {action: x.y, next: [{do: b2}]}
  b2: {action: x.y}
`);
  play.startAll();
  play.report('a', 'failed');
  play.report('b', 'succeeded');
  expect(play.handOut()).toEqual([]);
  play.conductor.rerun([{ task: 'a' }]);
  expect(play.startAll()).toEqual(['a', 'b2']);
  play.report('b2', 'succeeded');
  play.report('a', 'succeeded');
  expect(play.finish()).toEqual(['a2']);
  expect([play.status, play.messages()]).toEqual(['succeeded', []]);
});

it('each arrival at a task with several predecessors opens a route', () => {
  const play = new Player(`
output: [{s: <% task_status(t2) %>}]
tasks:
  t1: {action: x.y, next: [{do: 't2, t3'}]}
  t2: {action: x.y, next: [{do: t4}]}
  t3: {action: x.y, next: [{do: t4}]}
  t4: {action: x.y, input: {a: <% task_status(t2) %>}, next: [{do: 't5, t6'}]}
  t5: {action: x.y, next: [{do: t7}]}
  t6: {action: x.y, next: [{do: t7}]}
  t7: {action: x.y, join: all}
`);
  expect(play.finish()).toEqual(['t1', 't2', 't3', 't4|1', 't4|2', 't5|1', 't5|2', 't6|1', 't6|2', 't7|1', 't7|2']);
  expect(play.status).toBe('succeeded');
});
