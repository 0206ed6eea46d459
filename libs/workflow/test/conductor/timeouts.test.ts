import { Player } from './player';

const SECOND = 1_000;

describe('the timeout of a task', () => {
  it('is dispatched in seconds, and exceeding it is a failure without an error entry', () => {
    const play = new Player('vars: [{s: 5}]\ntasks: {a: {action: x.y, timeout: <% ctx().s * 2 %>}}');
    expect(play.conductor.nextTasks()[0]?.timeout).toBe(10);
    play.startAll();
    expect(play.report('a', 'timeout')).toBe('failed');
    expect([play.task('a'), play.messages()]).toEqual(['failed', []]);
  });

  it('must be a number', () => {
    const play = new Player('tasks: {a: {action: x.y, timeout: <% long %>}}');
    expect(play.handOut()).toEqual([]);
    expect([play.status, play.messages()]).toEqual([
      'failed',
      ['a: TypeError: The value of task timeout is not type of number.'],
    ]);
  });
});

describe('the timeout of a workflow', () => {
  const definition = `
timeout: <% ctx().s %>
vars: [{s: 60}]
tasks: {a: {action: x.y}, b: {action: x.y}}
`;

  it("gives a deadline on the caller's clock", () => {
    expect(new Player(definition, {}, { now: 1_000_000 }).conductor.deadline).toBe(1_000_000 + 60 * SECOND);
    expect(new Player('tasks: {a: {action: x.y}}', {}, { now: 1_000_000 }).conductor.deadline).toBeUndefined();
  });

  it('fails the run once it has passed; active tasks finish as after any failure', () => {
    const play = new Player(definition, {}, { now: 0 });
    play.startAll();
    expect(play.conductor.expire(59 * SECOND)).toBe(false);
    expect(play.conductor.expire(60 * SECOND)).toBe(true);
    expect([play.status, play.messages()]).toEqual([
      'failed',
      ['WorkflowTimeout: The workflow did not finish within its timeout.'],
    ]);
    expect(play.conductor.expire(61 * SECOND)).toBe(false);
    expect(play.report('a', 'canceled')).toBe('failed');
    expect(play.report('b', 'succeeded')).toBe('failed');
  });

  it('restarts with a rerun', () => {
    const play = new Player(definition, {}, { now: 0 });
    play.startAll();
    play.report('a', 'failed');
    play.report('b', 'succeeded');
    play.conductor.rerun(undefined, { now: 500 * SECOND });
    expect(play.conductor.deadline).toBe(560 * SECOND);
  });

  it('does not affect a run that is being canceled', () => {
    const play = new Player(definition, {}, { now: 0 });
    play.startAll();
    play.request('canceled');
    expect(play.conductor.expire(70 * SECOND)).toBe(false);
  });

  it('fails a run if it cannot be evaluated', () => {
    const play = new Player('timeout: <% ctx().nothing %>\ntasks: {a: {action: x.y}}', {}, { now: 0 });
    expect(play.status).toBe('failed');
  });
});

it('a growing delay waits longer before each retry, up to the limit', () => {
  const play = new Player(`
tasks: {a: {action: x.y, retry: {count: 5, delay: {initial: 2, factor: 3, max: 20}}}}
`);
  const delays: unknown[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    play.startAll();
    play.report('a', 'failed', attempt);
    delays.push(play.conductor.nextTasks()[0]?.delay);
  }
  expect(delays).toEqual([2, 6, 18, 20, 20]);
});
