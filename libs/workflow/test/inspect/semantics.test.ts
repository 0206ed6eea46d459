import { inspectWorkflow, workflowWarnings } from '../../src';
import { flow, inTask, TASK_PATH } from './definitions';

const semanticsOf = (definition: string | Record<string, unknown>): unknown[] =>
  (inspectWorkflow(definition).semantics ?? []).map(({ spec_path, message }) => `${spec_path}: ${message}`);

const START =
  'tasks: Unable to identify any tasks to start the workflow. If the workflow has a loop, please add a task that serves as an ' +
  'entry point (or lead) into the loop.';
const join = (name: string): unknown => expect.stringMatching(`tasks.${name}: The join task "${name}" is unreachable`);

describe('semantics', () => {
  it.each<[string, string[], unknown[]]>([
    ['a valid workflow', ['a: b, c', 'b: d', 'c: d', 'd*'], []],
    ['a reserved name', ['a: b', 'b', 'noop'], ['tasks.noop: The task name "noop" is reserved with special function.']],
    ['a loop without a lead-in', ['a: b', 'b: a'], [START]],
    ['an unknown task', ['a: b | x, c', 'b', 'c'], ['tasks.a.next[1].do: The task "x" is not defined.']],
    ['a trailing comma', ['a: b,', 'b'], ['tasks.a.next[0].do: The task "" is not defined.']],
    ['commands', ['a: continue | noop | fail | retry'], []],
    ['a join above a split and beside it', ['a: s, j', 'b: s', 's: j', 'j*'], [join('j')]],
    ['a join below a split', ['a: s', 'b: s', 's: c, d', 'c: j', 'd: j', 'j*'], []],
    ['a join in a loop', ['a: b', 'b: c, d', 'c: j', 'd: j', 'j*: b'], []],
    ['a join of a split and a task that it leads back to', ['a: b, c', 'd: b', 'b: j', 'c: j', 'j*: c'], [join('j')]],
    [
      'a join in a loop that is entered before a split leads to it',
      ['a: j', 'b: s', 'c: s', 's: j', 'j*: k', 'k: j'],
      [],
    ],
  ])('of %s', (_, lines, expected) => {
    expect(semanticsOf(flow(lines))).toEqual(expected);
  });

  it('treats an invalid join as a join, and an empty destination as none', () => {
    const tasks = {
      a: { action: 'core.noop', next: [{ do: 's' }, { do: 'j' }] },
      b: { action: 'core.noop', next: [{ do: 's' }] },
      s: { action: 'core.noop', next: [{ do: 'j' }] },
      j: { action: 'core.noop', join: 'any', next: [{ do: '' }] },
    };
    const { semantics, syntax } = inspectWorkflow({ version: 1, tasks });
    expect(semantics?.map(({ spec_path }) => spec_path)).toEqual(['tasks.j']);
    expect(syntax?.map(({ spec_path }) => spec_path).sort()).toEqual(['tasks.j.join', 'tasks.j.next[0].do']);
  });

  it('requires an action for a task with items', () => {
    expect(semanticsOf('version: 1.0\ntasks:\n  t1: {with: <% ctx(st2) %>}')).toEqual([
      'tasks.t1: The action property is required for with items task.',
    ]);
  });

  it('reports line and column in a text', () => {
    const yaml = inTask('next:\n  - when: <% succeeded() %>\n    do: [gone]');
    expect(inspectWorkflow(yaml).semantics).toEqual([
      {
        message: 'The task "gone" is not defined.',
        spec_path: 'tasks.t1.next[0].do',
        schema_path: `${TASK_PATH}.properties.next.items.properties.do`,
        line: 7,
        column: 9,
      },
    ]);
  });
});

describe('tasks of finally and rollback', () => {
  const cleaned = (parts: string, task: string, others: string): string =>
    `version: 1.0\n${parts}\ntasks:\n  t1: {action: core.noop${task}}\n  last: {action: core.noop${others}}\n`;

  it.each([
    ['sound ones', 'finally: [last]', '', '', []],
    ['a task that undoes others', '', ', rollback: last', '', []],
    ['an unknown one', 'finally: [gone]', ', next: [{do: last}]', '', ['finally[0]: The task "gone" is not defined.']],
    ['an unknown rollback', '', ', rollback: gone', '', ['tasks.t1.rollback: The task "gone" is not defined.']],
    ['one that a transition names', 'finally: [last]', ', next: [{do: last}]', '', [
      'tasks.t1.next[0].do: The task "last" is named in finally or rollback and cannot be the destination of a transition.',
    ]],
    ['one with transitions', 'finally: [last]', '', ', next: [{do: noop}]', [
      'tasks.last.next: The task "last" is named in finally or rollback and cannot have "next".',
    ]],
    ['one that joins', '', ', rollback: last', ', join: all', [
      'tasks.last.join: The task "last" is named in finally or rollback and cannot have "join".',
    ]],
    ['one that is undone', 'finally: [last]', '', ', rollback: t1', [
      'tasks.last.rollback: The task "last" is named in finally or rollback and cannot have "rollback".',
    ]],
  ])('%s', (name, parts, task, others, expected) => {
    const found = semanticsOf(cleaned(parts, task, others));
    if (name === 'one that is undone') expect(found).toEqual(expect.arrayContaining(expected));
    else expect(found).toEqual(expected);
  }); // oxfmt-ignore

  it('are not start tasks', () => {
    expect(semanticsOf('version: 1.0\nfinally: [t1]\ntasks: {t1: {action: a.b}}')).toEqual([START]);
  });

  it('know what any task may have published', () => {
    const yaml = `
version: 1.0
finally: [last]
tasks:
  t1: {action: core.noop, rollback: undo, next: [{publish: [{made: 1}]}]}
  undo: {action: core.local, input: {id: <% ctx(made) %>}}
  last: {action: core.local, input: {id: <% ctx(made) %>, more: <% ctx(never) %>}}
`;
    expect(inspectWorkflow(yaml)).toEqual({
      context: [expect.objectContaining({ spec_path: 'tasks.last.input', expression: '<% ctx(never) %>' })],
    });
  });
});

describe('warnings', () => {
  const warningsOf = (definition: string | Record<string, unknown>): string[] =>
    workflowWarnings(definition).map(({ spec_path, message }) => `${spec_path}: ${message}`);

  it('report unreachable tasks, which are not errors', () => {
    const definition = flow(['a: b', 'b', 'c: d', 'd: c, e', 'e']);
    expect(inspectWorkflow(definition)).toEqual({});
    expect(warningsOf(definition)).toEqual(
      ['c', 'd', 'e'].map(
        (name) => `tasks.${name}: The task "${name}" never runs: it can only be reached from a loop without an entry.`,
      ),
    );
  });

  it('report ignored parts of inline texts', () => {
    const yaml = inTask('action: core.local cmd=date x=1\nnext: [{publish: way=value a=1}]');
    expect(inspectWorkflow(yaml)).toEqual({});
    expect(warningsOf(yaml)).toEqual([
      expect.stringMatching(/^tasks.t1.action: 'cmd=date' is not an inline parameter/),
      expect.stringMatching(/^tasks.t1.next\[0\].publish: 'way=value' is not an inline parameter/),
    ]);
  });

  it('report a missing version', () => {
    expect(inspectWorkflow('tasks: {t1: {action: a.b}}')).toEqual({});
    expect(warningsOf('tasks: {t1: {action: a.b}}')).toEqual([expect.stringMatching(/^null: 'version' is missing/)]);
  });

  it('are empty for a valid workflow', () => {
    expect(warningsOf(flow(['a: b', 'b']))).toEqual([]);
  });
});
