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

  it('goes on with a list that was in the middle when a condition failed', () => {
    const play = new Player(`
tasks:
  a: {action: x.y, with: {items: '<% list(1, 2) %>', concurrency: 1}}
  b: {action: x.y, next: [{when: <% ctx().unknown %>, do: c}]}
  c: {action: x.y}
`);
    expect(play.startAll()).toEqual(['a#0', 'b']);
    expect(play.report('b', 'succeeded')).toBe('failed');
    play.item('a', 0, 'succeeded');
    expect(play.handOut()).toEqual([]);
    play.conductor.rerun();
    expect(play.startAll()).toEqual(['a#1']);
    expect(play.item('a', 1, 'succeeded')).toBe('succeeded');
  });

  it.each([
    ['goes on with a named list that was in the middle', false, ['a#1']],
    ['starts a named list again that was in the middle', true, ['a#0', 'a#1']],
  ])('%s', (_title, resetItems, expected) => {
    const play = new Player(`
tasks:
  a: {action: x.y, with: {items: '<% list(1, 2) %>', concurrency: 1}}
  b: {action: x.y}
`);
    play.startAll();
    expect(play.report('b', 'failed')).toBe('failed');
    expect(() => play.conductor.rerun([{ task: 'a', resetItems }])).toThrow("isn't rerunnable: a|0");
    play.item('a', 0, 'succeeded');
    play.conductor.rerun([{ task: 'a', resetItems }]);
    for (const name of expected) {
      expect(play.startAll()).toEqual([name]);
      play.item('a', Number(name.slice(2)), 'succeeded');
    }
    expect(play.status).toBe('succeeded');
  });

  it('leaves out what failed before and has succeeded since', () => {
    const play = new Player(
      'tasks: {a: {action: x.y, next: [{do: b}]}, b: {action: x.y, next: [{do: c}]}, c: {action: x.y}}',
    );
    play.startAll();
    play.report('a', 'succeeded');
    play.startAll();
    play.report('b', 'succeeded');
    play.startAll();
    expect(play.report('c', 'failed')).toBe('failed');
    play.conductor.rerun([{ task: 'a' }]);
    play.finish();
    expect(play.status).toBe('succeeded');
    expect(() => play.conductor.rerun()).toThrow("doesn't exist or isn't rerunnable");
  });

  it('drops what former ends have published, at any distance', () => {
    const play = new Player(`
vars: [{n: 1}]
output: [{n: <% ctx().n %>}]
tasks:
  a: {action: x.y, next: [{when: <% succeeded() %>, do: b}]}
  b: {action: x.y, next: [{publish: [{n: 2}], do: c}]}
  c: {action: x.y}
`);
    play.finish();
    play.conductor.rerun([{ task: 'a' }]);
    play.startAll();
    expect(play.report('a', 'failed')).toBe('failed');
    expect(play.conductor.output()).toEqual({ n: 1 });
  });

  it('runs a task again that was still running when it was reached', () => {
    const play = new Player(
      'tasks: {a: {action: x.y, next: [{do: b}]}, b: {action: x.y}, c: {action: x.y}, d: {action: x.y}}',
    );
    expect(play.startAll()).toEqual(['a', 'c', 'd']);
    play.report('c', 'failed');
    play.report('a', 'succeeded');
    play.report('d', 'failed');
    play.conductor.rerun([{ task: 'a' }, { task: 'd' }]);
    expect(play.startAll()).toEqual(['a', 'b', 'd']);
    expect(play.report('d', 'failed')).toBe('failed');
    play.report('a', 'succeeded');
    play.report('b', 'succeeded');
    play.conductor.rerun([{ task: 'd' }]);
    expect(play.finish()).toEqual(['b', 'd']);
  });

  it('does not count a source at a join that no longer leads there', () => {
    const play = new Player(`
tasks:
  a: {action: x.y, next: [{when: <% succeeded() %>, do: j}, {do: b}]}
  b: {action: x.y, next: [{when: <% failed() %>, do: j}]}
  j: {action: x.y, join: all}
`);
    const run = (task: string, status: 'succeeded' | 'failed'): string => {
      expect(play.startAll()).toEqual([task]);
      return play.report(task, status, status);
    };
    expect([run('a', 'failed'), run('b', 'failed')]).toEqual(['running', 'failed']);
    play.conductor.rerun([{ task: 'a' }]);
    expect([run('a', 'failed'), run('b', 'succeeded')]).toEqual(['running', 'failed']);
    play.conductor.rerun([{ task: 'a' }]);
    expect([run('a', 'succeeded'), run('b', 'failed'), run('j', 'succeeded')]).toEqual([
      'running',
      'running',
      'succeeded',
    ]);
  });
});
