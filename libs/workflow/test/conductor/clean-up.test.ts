import { Player } from './player';

const UNDOING = `
vars: [{seen: []}]
output: [{seen: <% ctx().seen %>}]
finally: [close, report]
tasks:
  a: {action: x.y, rollback: undo_a, next: [{when: <% succeeded() %>, publish: [{seen: [a]}], do: b}]}
  b: {action: x.y, rollback: undo_b, next: [{when: <% succeeded() %>, publish: [{seen: [a, b]}], do: c}]}
  c: {action: x.y}
  undo_a: {action: x.y, input: {was: <% result() %>, seen: <% ctx().seen %>, ok: <% succeeded() %>}}
  undo_b: {action: x.y, input: {was: <% result() %>, seen: <% ctx().seen %>, ok: <% succeeded() %>}}
  close: {action: x.y, input: {seen: <% ctx().seen %>, c: <% task_status(c) %>}}
  report: {action: x.y}
`;

/** Finishes a and b and starts c. */
function untilC(definition = UNDOING): Player {
  const play = new Player(definition);
  for (const task of ['a', 'b']) {
    expect(play.startAll()).toEqual([task]);
    play.report(task, 'succeeded', `made ${task}`);
  }
  expect(play.startAll()).toEqual(['c']);
  return play;
}

const inputs = (play: Player): unknown[] =>
  play.conductor.nextTasks().flatMap(({ actions }) => actions.map(({ input }) => input));

describe('after the outcome of the body is known', () => {
  it('closing tasks run one after the other, and success becomes visible once they are done', () => {
    const play = untilC();
    expect(play.report('c', 'succeeded')).toBe('running');
    expect(inputs(play)).toEqual([{ seen: ['a', 'b'], c: 'succeeded' }]);
    expect(play.startAll()).toEqual(['close']);
    expect(play.report('close', 'succeeded')).toBe('running');
    expect(play.conductor.output()).toBeNull();
    expect(play.startAll()).toEqual(['report']);
    expect(play.report('report', 'succeeded')).toBe('succeeded');
    expect(play.conductor.output()).toEqual({ seen: ['a', 'b'] });
  });

  it('succeeded tasks are rolled back after a failure, latest first, before the closing tasks', () => {
    const play = untilC();
    expect(play.report('c', 'failed')).toBe('running');
    expect(inputs(play)).toEqual([{ was: 'made b', seen: ['a'], ok: true }]);
    expect(play.startAll()).toEqual(['undo_b']);
    play.report('undo_b', 'succeeded');
    expect(inputs(play)).toEqual([{ was: 'made a', seen: [], ok: true }]);
    expect(play.finish()).toEqual(['undo_a', 'close', 'report']);
    expect(play.status).toBe('failed');
  });

  it('succeeded tasks are rolled back after a cancellation, too', () => {
    const play = untilC();
    expect(play.request('canceled')).toBe('canceling');
    expect(play.report('c', 'canceled')).toBe('canceling');
    expect(play.finish()).toEqual(['undo_b', 'undo_a', 'close', 'report']);
    expect(play.status).toBe('canceled');
  });

  it('a failed rollback is recorded, and the others continue', () => {
    const play = untilC();
    play.report('c', 'failed');
    play.startAll();
    play.report('undo_b', 'failed', 'stuck');
    expect(play.finish()).toEqual(['undo_a', 'close', 'report']);
    expect([play.status, play.conductor.errors.map(({ task_id }) => task_id)]).toEqual(['failed', ['c', 'undo_b']]);
  });

  it('a failed closing task fails the run', () => {
    const play = untilC();
    play.report('c', 'succeeded');
    play.startAll();
    expect(play.report('close', 'failed')).toBe('running');
    expect(play.finish()).toEqual(['report']);
    expect(play.status).toBe('failed');
  });

  it('a closing task that cannot be rendered counts as failed', () => {
    const play = untilC(UNDOING.replace('task_status(c)', 'ctx(nothing)'));
    play.report('c', 'succeeded');
    expect(play.finish()).toEqual(['report']);
    expect([play.status, play.conductor.errors[0]?.task_id]).toEqual(['failed', 'close']);
  });

  it('closing waits for active tasks', () => {
    const play = new Player(`
finally: [close]
tasks: {a: {action: x.y}, b: {action: x.y}, close: {action: x.y}}
`);
    play.startAll();
    expect(play.report('a', 'failed')).toBe('running');
    expect(play.handOut()).toEqual([]);
    play.report('b', 'succeeded');
    expect(play.finish()).toEqual(['close']);
    expect(play.status).toBe('failed');
  });

  it('closing does not wait for items that a failed workflow no longer starts', () => {
    const play = new Player(`
finally: [close]
tasks:
  a: {action: x.y, with: {items: '<% list(1, 2, 3) %>', concurrency: 1}}
  b: {action: x.y}
  close: {action: x.y}
`);
    play.startAll();
    play.report('b', 'failed');
    expect(play.handOut()).toEqual([]);
    play.item('a', 0, 'succeeded');
    expect(play.finish()).toEqual(['close']);
    expect(play.status).toBe('failed');
  });

  it('closing tasks also run when the inputs fail', () => {
    const play = new Player(
      'vars: [{x: <% ctx(nothing) %>}]\nfinally: [close]\ntasks: {a: {action: x.y}, close: {action: x.y}}',
    );
    expect(play.finish()).toEqual(['close']);
    expect(play.status).toBe('failed');
  });
});

describe('requests during the clean-up', () => {
  it('pausing holds it until it is resumed', () => {
    const play = untilC();
    play.report('c', 'failed');
    play.startAll();
    expect(play.request('pausing')).toBe('pausing');
    expect(play.report('undo_b', 'succeeded')).toBe('paused');
    expect(play.handOut()).toEqual([]);
    expect(play.request('resuming')).toBe('running');
    expect(play.finish()).toEqual(['undo_a', 'close', 'report']);
  });

  it('a first cancellation lets it continue, and a second skips pending tasks', () => {
    const play = untilC();
    play.report('c', 'succeeded');
    play.startAll();
    expect(play.request('canceled')).toBe('canceling');
    play.report('close', 'succeeded');
    expect(play.startAll()).toEqual(['report']);
    expect(play.request('canceled')).toBe('canceling');
    expect(play.report('report', 'succeeded')).toBe('canceled');
  });

  it('a second cancellation ends it at once when nothing runs', () => {
    const play = untilC();
    play.request('canceled');
    play.report('c', 'canceled');
    expect(play.request('canceled')).toBe('canceled');
    expect(play.handOut()).toEqual([]);
  });

  it('invalid requests are refused', () => {
    const play = untilC();
    play.report('c', 'succeeded');
    play.finish();
    expect(() => play.request('resuming')).toThrow('for workflow in "succeeded" status');
  });
});

it('a rerun returns to the body, and rolls back only what succeeded since', () => {
  const play = untilC();
  play.report('c', 'failed');
  play.finish();
  play.conductor.rerun();
  expect(play.status).toBe('resuming');
  expect(play.startAll()).toEqual(['c']);
  play.report('c', 'failed');
  expect(play.finish()).toEqual(['close', 'report']);
  expect(play.status).toBe('failed');
});
