import { inspectWorkflow } from '../../src';
import { inTask, TASK_PATH } from './definitions';

describe('syntax', () => {
  it.each([
    ['a missing list of tasks', 'version: 1.0', null, 'required', "'tasks' is a required property"],
    [
      'an empty list of tasks',
      'version: 1.0\ntasks: {}',
      'tasks',
      'properties.tasks.minProperties',
      '{} should be non-empty',
    ],
    [
      'an unknown key',
      'version: 1.0\nfoo: 1\ntasks: {t: {action: a.b}}',
      null,
      'additionalProperties',
      "Additional properties are not allowed ('foo' was unexpected)",
    ],
    [
      'another version',
      'version: 2.0\ntasks: {t: {action: a.b}}',
      'version',
      'properties.version.enum',
      "2.0 is not one of ['1.0', 1.0]",
    ],
    [
      'tags given twice',
      'version: 1.0\ntags: [a, a]\ntasks: {t: {action: a.b}}',
      'tags',
      'properties.tags.uniqueItems',
      "['a', 'a'] has non-unique elements",
    ],
    [
      'a variable with two keys',
      'version: 1.0\nvars: [{a: 1, b: 2}]\ntasks: {t: {action: a.b}}',
      'vars[0]',
      'properties.vars.items.maxProperties',
      "{'a': 1, 'b': 2} has too many properties",
    ],
    [
      'an input that is not a name',
      'version: 1.0\ninput: [1]\ntasks: {t: {action: a.b}}',
      'input[0]',
      'properties.input.items.oneOf',
      '1 is not valid under any of the given schemas',
    ],
    [
      'tasks in a list',
      'version: 1.0\ntasks: [{action: a.b}]',
      'tasks',
      'properties.tasks.type',
      "[{'action': 'a.b'}] is not of type 'object'",
    ],
    [
      'a task name with a dash',
      'version: 1.0\ntasks: {t-1: {action: a.b}}',
      'tasks',
      'properties.tasks.additionalProperties',
      /'t-1' does not match any of the regexes/,
    ],
    [
      'a task name that is a number',
      'version: 1.0\ntasks: {1: {action: a.b}}',
      'tasks.1',
      'properties.tasks.patternProperties',
      "1 is not of type 'string'",
    ],
    ['a null task', 'version: 1.0\ntasks: {t1: }', 'tasks.t1', `${TASK_PATH}.type`, "None is not of type 'object'"],
    [
      'an empty task',
      'version: 1.0\ntasks: {t1: {}}',
      'tasks.t1',
      `${TASK_PATH}.minProperties`,
      '{} should be non-empty',
    ],
  ])('reports %s', (_, yaml, path, schema, message) => {
    const { syntax, ...others } = inspectWorkflow(yaml);
    expect(others).toEqual({});
    expect(syntax).toEqual([
      expect.objectContaining({
        spec_path: path,
        schema_path: schema,
        message: message instanceof RegExp ? expect.stringMatching(message) : message,
      }),
    ]);
  });

  it.each([
    ['delay: -1', 'delay', 'delay.oneOf', '-1 is not valid under any of the given schemas'],
    ['delay: 1.5', 'delay', 'delay.oneOf', /^1.5 is not valid/],
    ['delay: true', 'delay', 'delay.oneOf', /^True is not valid/],
    ['join: some', 'join', 'join.oneOf', /'some' is not valid/],
    ['action: ""', 'action', 'action.minLength', /should be non-empty/],
    ['input: {}', 'input', 'input.oneOf', /\{\} is not valid/],
    ['next: {do: t1}', 'next', 'next.type', "{'do': 't1'} is not of type 'array'"],
    ['next: [{}]', 'next[0]', 'next.items.minProperties', '{} should be non-empty'],
    ['next: [{when: [x]}]', 'next[0].when', 'next.items.properties.when.type', "['x'] is not of type 'string'"],
    ['next: [{publish: [x]}]', 'next[0].publish', 'next.items.properties.publish.oneOf', /^\['x'\] is not valid/],
    ['next: [{do: {a: 1}}]', 'next[0].do', 'next.items.properties.do.oneOf', /^\{'a': 1\} is not valid/],
    ['with: {concurrency: 1}', 'with', 'with.required', "'items' is a required property"],
    ['with: x y in <% [1] %>', 'with.items', 'with.properties.items.pattern', /does not match/],
    ['with: [1, 2]', 'with', 'with.type', /is not of type 'object'/],
    ['retry: {delay: 1}', 'retry', 'retry.required', "'count' is a required property"],
    ['retry: {count: 1, delay: {initial: 1}}', 'retry.delay', 'retry.properties.delay.oneOf', /is not valid/],
    ['timeout: 0', 'timeout', 'timeout.oneOf', /^0 is not valid/],
  ])('reports the task with %s', (yaml, path, schema, message) => {
    const { syntax } = inspectWorkflow(inTask(yaml));
    expect(syntax).toEqual([
      expect.objectContaining({
        spec_path: `tasks.t1.${path}`,
        schema_path: `${TASK_PATH}.properties.${schema}`,
        message: message instanceof RegExp ? expect.stringMatching(message) : message,
      }),
    ]);
  });

  it.each([
    'delay: <% ctx().st2 %>',
    'with: <% [1] %>',
    'with: {items: "x, y in {{ [] }}", concurrency: 0}',
    'with: {items: "<% [1] %>", concurrency: }',
    'with: |\n  x in <%\n    [1]\n  %>',
    'retry: {count: 0}',
    'retry: {count: <% 1 %>, delay: {initial: 0.5, factor: 1.5, max: 10}}',
    'join: 0',
    'next: []',
    'next: [{publish: [{a: }]}]',
    'timeout: 0.5',
    'timeout: <% 3 %>',
  ])('accepts the task with %s', (yaml) => {
    expect(inspectWorkflow(inTask(yaml), { context: ['st2'] })).toEqual({});
  });

  it('reports all problems in one pass', () => {
    const inspection = inspectWorkflow(`
version: 1.0
tasks:
  t1:
    action: core.noop
    input: [1]
    next:
      - when: <% <% succeeded() %>
        do: t2
  t2:
    action: core.local
    input: {cmd: <% ctx().macro %>}
    next: [{do: t3}]
`);
    expect(Object.keys(inspection).sort()).toEqual(['context', 'expressions', 'semantics', 'syntax']);
  });

  it.each([
    ['2.0', ["2.0 is not one of ['1.0', 1.0]"]],
    ['2', ["2 is not one of ['1.0', 1.0]"]],
    ['"2.0"', ["'2.0' is not one of ['1.0', 1.0]"]],
    ['one and a half', ["'one and a half' is not one of ['1.0', 1.0]"]],
    ['false', ['False is not valid under any of the given schemas', "False is not one of ['1.0', 1.0]"]],
    ['[1, 2]', ['[1, 2] is not valid under any of the given schemas', "[1, 2] is not one of ['1.0', 1.0]"]],
  ])('shows the full value of the invalid version %s', (version, messages) => {
    const found = inspectWorkflow(`version: ${version}\ntasks: {t: {action: a.b}}`).syntax ?? [];
    expect(found.map(({ message }) => message)).toEqual(messages);
  });
});
