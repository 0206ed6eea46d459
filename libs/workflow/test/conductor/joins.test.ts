import { Player } from './player';

const JOIN_OF_TWO = `
vars: [{seen: none}]
output: [{late: <% ctx().c %>}, {a: <% ctx().a %>}]
tasks:
  a: {action: x.y, next: [{publish: [{a: here}], do: j}]}
  b: {action: x.y, next: [{publish: [{b: here}], do: j}]}
  c: {action: x.y, next: [{publish: [{c: late}], do: j}]}
  j: {action: x.y, join: 2}
`;

describe('a join with a number', () => {
  it('runs once, and later arrivals feed the output', () => {
    const play = new Player(JOIN_OF_TWO);
    play.startAll();
    play.report('a', 'succeeded');
    play.report('b', 'succeeded');
    expect(play.startAll()).toEqual(['j']);
    play.report('c', 'succeeded');
    expect(play.handOut()).toEqual([]);
    expect(play.report('j', 'succeeded')).toBe('succeeded');
    expect(play.conductor.output()).toEqual({ late: 'late', a: 'here' });
  });

  it('runs in every round of a loop', () => {
    const play = new Player(`
vars: [{n: 0}]
tasks:
  init: {action: x.y, next: [{do: head}]}
  head: {action: x.y, join: 1, next: [{when: <% ctx().n < 2 %>, publish: [{n: <% ctx().n + 1 %>}], do: body}]}
  body: {action: x.y, next: [{do: head}]}
`);
    expect(play.finish()).toEqual(['init', 'head', 'body', 'head', 'body', 'head']);
    expect(play.status).toBe('succeeded');
  });
});

describe('a join in a loop', () => {
  const definition = `
vars: [{n: 0}]
tasks:
  once: {action: x.y, next: [{do: j}]}
  s: {action: x.y, next: [{do: 'b, c'}]}
  b: {action: x.y, next: [{do: j}]}
  c: {action: x.y, next: [{do: c2}]}
  c2: {action: x.y, next: [{do: j}]}
  j: {action: x.y, join: all, next: [{when: <% ctx().n < 1 %>, publish: [{n: <% ctx().n + 1 %>}], do: again}]}
  again: {action: x.y, next: [{do: 'b, c'}]}
`;

  it('waits for the sources of its round, but not again for one outside of the loop', () => {
    const play = new Player(definition);
    expect(play.finish()).toEqual(['once', 's', 'b', 'c', 'c2', 'j', 'again', 'b', 'c', 'c2', 'j']);
    expect([play.status, play.messages()]).toEqual(['succeeded', []]);
  });
});

describe('a join after a loop', () => {
  it('runs in each round of the loop, with an unchanged source outside of it', () => {
    const play = new Player(`
vars: [{n: 0}]
output: [{n: <% ctx().n %>}]
tasks:
  init: {action: x.y, next: [{do: 'body, collect'}]}
  body:
    action: x.y
    next:
      - {publish: [{n: <% ctx().n + 1 %>}], do: collect}
      - {when: <% ctx().n < 2 %>, publish: [{n: <% ctx().n + 1 %>}], do: body}
  collect: {action: x.y, join: all}
`);
    expect(play.finish()).toEqual(['init', 'body', 'body', 'collect', 'body', 'collect', 'collect']);
    expect([play.status, play.messages(), play.conductor.output()]).toEqual(['succeeded', [], { n: 3 }]);
  });

  const TWICE = `
vars: [{n: 0}]
tasks:
  begin: {action: x.y, next: [{do: a}]}
  a: {action: x.y, next: [{do: 'b, j'}, {when: <% ctx().n < 1 %>, publish: [{n: <% ctx().n + 1 %>}], do: a}]}
  b: {action: x.y, next: [{do: j}]}
  j: {action: x.y, join: all, input: {n: <% ctx().n %>}}
`;

  it('waits for a source that has arrived and runs again', () => {
    const play = new Player(TWICE);
    play.startAll();
    play.report('begin', 'succeeded');
    play.startAll();
    play.report('a', 'succeeded');
    expect(play.startAll()).toEqual(['a', 'b']);
    play.report('b', 'succeeded');
    expect(play.handOut()).toEqual([]);
    play.report('a', 'succeeded');
    expect(play.handOut()).toEqual(['b', 'j']);
  });

  it("continues with the source's first result if it leads elsewhere the second time", () => {
    const play = new Player(TWICE.replace("{do: 'b, j'}", "{when: <% ctx().n = 0 %>, do: 'b, j'}"));
    play.startAll();
    play.report('begin', 'succeeded');
    play.startAll();
    play.report('a', 'succeeded');
    play.startAll();
    play.report('b', 'succeeded');
    play.report('a', 'succeeded');
    expect(play.finish()).toEqual(['j']);
    expect([play.status, play.messages()]).toEqual(['succeeded', []]);
  });
});

it('a join that runs again after a rerun is dispatched together with `fail`', () => {
  const play = new Player(`
tasks:
  a: {action: x.y, next: [{do: j}]}
  b: {action: x.y, next: [{do: 'j, fail'}]}
  j: {action: x.y, join: all}
`);
  play.finish();
  expect(play.status).toBe('failed');
  play.conductor.rerun([{ task: 'b' }]);
  expect(play.finish()).toEqual(['b', 'j']);
  expect(play.status).toBe('failed');
});

describe('contexts at a join', () => {
  it('keep the newer value, whichever branch arrives last', () => {
    const definition = `
output: [{x: <% ctx().x %>}]
tasks:
  a: {action: x.y, next: [{publish: [{x: 1}], do: 'b, c'}]}
  b: {action: x.y, next: [{publish: [{x: 2}], do: j}]}
  c: {action: x.y, next: [{do: j}]}
  j: {action: x.y, join: all, input: {x: <% ctx().x %>}}
`;
    for (const order of [
      ['b', 'c'],
      ['c', 'b'],
    ]) {
      const play = new Player(definition);
      play.startAll();
      play.report('a', 'succeeded');
      play.startAll();
      for (const task of order) play.report(task, 'succeeded');
      expect(play.conductor.nextTasks()[0]?.actions[0]?.input).toEqual({ x: 2 });
    }
  });

  it('do not leak between branches', () => {
    const play = new Player(`
vars: [{m: {from: start}}]
tasks:
  a: {action: x.y, next: [{publish: [{m: {a: 1}}], do: a2}]}
  a2: {action: x.y, input: {m: <% ctx().m %>}, next: [{do: j}]}
  b: {action: x.y, next: [{publish: [{m: {b: 1}}], do: b2}]}
  b2: {action: x.y, input: {m: <% ctx().m %>}, next: [{do: j}]}
  j: {action: x.y, join: all, input: {m: <% ctx().m %>}}
`);
    const inputs = (): unknown[] => play.conductor.nextTasks().map(({ actions }) => actions[0]?.input);
    play.startAll();
    play.report('a', 'succeeded');
    play.report('b', 'succeeded');
    expect(inputs()).toEqual([{ m: { from: 'start', a: 1 } }, { m: { from: 'start', b: 1 } }]);
    play.startAll();
    play.report('b2', 'succeeded');
    play.report('a2', 'succeeded');
    expect(inputs()).toEqual([{ m: { from: 'start', a: 1, b: 1 } }]);
  });
});

it('a join keeps its other sources after a rerun of one', () => {
  const play = new Player(`
tasks:
  a: {action: x.y, next: [{publish: [{a: <% result() %>}], do: j}]}
  b: {action: x.y, next: [{publish: [{b: <% result() %>}], do: j}]}
  j: {action: x.y, join: all, input: {all: '<% list(ctx().a, ctx().b) %>'}}
`);
  play.startAll();
  play.report('a', 'succeeded', 'a1');
  play.report('b', 'succeeded', 'b1');
  play.startAll();
  play.report('j', 'failed');
  play.conductor.rerun([{ task: 'b' }]);
  expect(play.startAll()).toEqual(['b']);
  play.report('b', 'succeeded', 'b2');
  expect(play.conductor.nextTasks()[0]?.actions[0]?.input).toEqual({ all: ['a1', 'b2'] });
});
