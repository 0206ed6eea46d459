import { Player } from './player';

const CHAIN = `
output: [{r: <% ctx().r %>}]
tasks:
  t1: {action: x.y, next: [{publish: [{r: <% result() %>}], do: t2}]}
  t2: {action: x.y, next: [{do: t3}]}
  t3: {action: x.y}
`;

describe('a rerun', () => {
  it('skips tasks that follow from another rerun task', () => {
    const play = new Player(CHAIN);
    play.finish();
    play.conductor.rerun([{ task: 't3' }, { task: 't1' }, { task: 't1' }]);
    expect(play.finish()).toEqual(['t1', 't2', 't3']);
  });

  it('evaluates values again', () => {
    const play = new Player(CHAIN);
    play.finish();
    expect(play.conductor.output()).toEqual({ r: 'result of t1' });
    play.conductor.rerun([{ task: 't1' }]);
    play.startAll();
    play.report('t1', 'succeeded', 'new');
    play.finish();
    expect(play.conductor.output()).toEqual({ r: 'new' });
  });

  it('drops the errors of tasks that follow from it', () => {
    const play = new Player(CHAIN);
    for (const task of ['t1', 't2']) {
      play.startAll();
      play.report(task, 'succeeded');
    }
    play.startAll();
    expect(play.report('t3', 'failed', 'broken')).toBe('failed');
    expect(play.messages()).toEqual(['t3: Execution failed. See result for details.']);
    play.conductor.rerun([{ task: 't1' }]);
    expect(play.messages()).toEqual([]);
    expect(play.finish()).toEqual(['t1', 't2', 't3']);
    expect([play.status, play.messages()]).toEqual(['succeeded', []]);
  });

  it('gives a task all its retries again', () => {
    const play = new Player('tasks: {a: {action: x.y, retry: {count: 1}}}');
    const failTwice = (): string[] =>
      [1, 2].map((time) => {
        play.startAll();
        return play.report('a', 'failed', time);
      });
    expect(failTwice()).toEqual(['running', 'failed']);
    play.conductor.rerun();
    expect(play.messages()).toEqual([]);
    expect(failTwice()).toEqual(['running', 'failed']);
  });

  it('repeats a list whose items have all succeeded', () => {
    const play = new Player("tasks: {t: {action: x.y, with: '<% list(1, 2) %>'}}");
    const runAll = (): string => {
      expect(play.startAll()).toEqual(['t#0,1']);
      play.item('t', 0, 'succeeded');
      return play.item('t', 1, 'succeeded');
    };
    expect(runAll()).toBe('succeeded');
    play.conductor.rerun([{ task: 't' }]);
    expect(runAll()).toBe('succeeded');
  });

  it('does not end as canceled because of an earlier cancellation', () => {
    const play = new Player('tasks: {a: {action: x.y}, b: {action: x.y}}');
    play.startAll();
    play.report('a', 'canceled');
    expect(play.report('b', 'succeeded')).toBe('canceled');
    play.conductor.rerun([{ task: 'b' }]);
    expect(play.finish()).toEqual(['b']);
    expect(play.status).toBe('succeeded');
  });

  it('is refused if there is nothing to run', () => {
    const play = new Player('tasks: {a: {action: x.y}}');
    play.finish();
    expect(() => play.conductor.rerun()).toThrow("doesn't exist or isn't rerunnable");
    expect(play.status).toBe('succeeded');
  });
});
