import { composeGraph, parseWorkflow, type Graph } from '@switchyard/workflow';

const graphOf = (tasks: string): Graph => composeGraph(parseWorkflow(`version: 1.0\ntasks:\n${tasks}`));

const arrows = (graph: Graph, task: string): string[] =>
  graph.tasks.get(task)!.next.map(({ id, backId }) => `${backId} > ${id}`);

describe('a graph', () => {
  it('starts with the tasks without predecessors, and contains everything they reach', () => {
    const graph = graphOf(
      `
  b: {action: x.y, next: [{do: c}]}
  a: {action: x.y}
  c: {action: x.y, next: [{}]}
  lost: {action: x.y, next: [{do: lost}]}
`.replace('[{}]', '[{publish: [{v: 1}]}]'),
    );
    expect(graph.starts).toEqual(['a', 'b']);
    expect([...graph.tasks.keys()].sort()).toEqual(['a', 'b', 'c', 'continue']);
  });

  it('tries arrows by destination and numbers those that share one', () => {
    const graph = graphOf(`
  a:
    action: x.y
    next: [{when: <% succeeded() %>, do: 'c, b, b'}, {when: <% failed() %>, do: b}, {do: noop}]
  b: {action: x.y}
  c: {action: x.y}
`);
    expect(arrows(graph, 'a')).toEqual(['a__t0 > b__t0', 'a__t1 > b__t1', 'a__t0 > c__t0', 'a__t0 > noop__t0']);
  });

  it('turns the retry command into a rule, without an arrow', () => {
    const graph = graphOf('  a: {action: x.y, next: [{when: <% failed() %>, do: retry}]}');
    expect(graph.tasks.get('a')).toMatchObject({ next: [], retry: { when: '<% failed() %>', count: 3 } });
  });

  it('counts the sources of a join', () => {
    const graph = graphOf(`
  a: {action: x.y, next: [{when: <% succeeded() %>, do: j}, {when: <% failed() %>, do: 'j, k'}]}
  b: {action: x.y, next: [{do: 'j, k'}]}
  j: {action: x.y, join: all}
  k: {action: x.y, join: 0}
`);
    expect(graph.tasks.get('j')?.barrier).toEqual({ required: 2, sources: 2 });
    expect(graph.tasks.get('k')?.barrier).toEqual({ required: 1, sources: 2 });
  });

  it('splits where several arrows meet without a join, but not on a cycle', () => {
    const graph = graphOf(`
  a: {action: x.y, next: [{do: 'm, loop'}]}
  b: {action: x.y, next: [{do: m}]}
  m: {action: x.y}
  loop: {action: x.y, next: [{when: <% succeeded() %>, do: back}]}
  back: {action: x.y, next: [{do: loop}]}
`);
    const splits = [...graph.tasks.values()].filter(({ split }) => split).map(({ name }) => name);
    expect(splits).toEqual(['m']);
  });

  it('keeps clean-up tasks separate', () => {
    const graph = composeGraph(
      parseWorkflow(
        'version: 1.0\nfinally: [z]\ntasks: {a: {action: x.y, rollback: u}, u: {action: x.y}, z: {action: x.y}}',
      ),
    );
    expect([graph.starts, graph.hasCleanUp]).toEqual([['a'], true]);
  });

  it('can be built for a long chain and a long loop', () => {
    const length = 20_000;
    const next = (index: number): string => `{action: x.y, next: [{do: t${(index + 1) % length}}]}`;
    const spec = parseWorkflow(`version: 1.0\ntasks:\n  s: {action: x.y, next: [{do: t0}]}\n  t0: ${next(0)}`);
    const tasks = new Map(spec.tasks);
    for (let index = 0; index < length; index += 1)
      tasks.set(`t${index}`, { name: `t${index}`, next: [{ publish: [], do: [`t${(index + 1) % length}`] }] });
    expect(composeGraph({ ...spec, tasks }).tasks.size).toBe(length + 1);
  });
});
