import { inspectWorkflow } from '../../src';
import { inTask, TASK_PATH } from './definitions';

const unknown = (definition: string, context: string[] = []): string[] =>
  (inspectWorkflow(definition, { context }).context ?? []).map(
    ({ spec_path, expression }) => `${spec_path} ${expression}`,
  );

const sections = (parts: Record<string, string>): string =>
  `version: 1.0\n${Object.entries({ tasks: '{t1: {action: a.b}}', ...parts })
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n')}`;

describe('variables', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['inputs see earlier inputs', { input: '[a, {b: <% ctx().a %>}, {c: <% ctx().d %>}]' }, ['input[2] <% ctx().d %>']],
    [
      'variables see inputs and earlier variables',
      { input: '[a]', vars: '[{b: <% ctx().c %>}, {c: <% ctx().a + ctx().b %>}]' },
      ['vars[0] <% ctx().c %>'],
    ],
    [
      'outputs see earlier outputs',
      { output: '[{a: 1}, {b: <% ctx().a + ctx().c %>}]' },
      ['output[1] <% ctx().a + ctx().c %>'],
    ],
    [
      'both languages are checked',
      { vars: '[{a: "<% ctx(x) %>"}, {b: "{{ ctx(\'y\') }}"}]' },
      ['vars[0] <% ctx(x) %>', "vars[1] {{ ctx('y') }}"],
    ],
    [
      'a map with two keys sets both',
      { vars: '[{a: 1, b: 2}, {c: <% ctx().a + ctx().b + ctx().x %>}]' },
      ['vars[1] <% ctx().a + ctx().b + ctx().x %>'],
    ],
    [
      'a map in place of a list sets all of its keys',
      { vars: '{a: 1, b: <% ctx().a + ctx().x %>}', output: '[{c: <% ctx().b %>}]' },
      ['vars <% ctx().a + ctx().x %>'],
    ],
    ['variables are found at any depth', { vars: '[{a: {b: [1, <% ctx(x) %>]}}]' }, ['vars[0] <% ctx(x) %>']],
    ['other ways to read are ignored', { vars: '[{a: "<% ctx()[x] %> <% ctx().get(x) %>"}]' }, []],
  ])('%s', (_, parts, expected) => {
    expect(unknown(sections(parts))).toEqual(expected);
  });

  it('given names are known', () => {
    expect(unknown(sections({ vars: '[{a: <% ctx().st2.user + ctx().parent %>}]' }), ['st2'])).toEqual([
      'vars[0] <% ctx().st2.user + ctx().parent %>',
    ]);
  });

  it('private names cannot be read', () => {
    const found = inspectWorkflow(sections({ vars: '[{a: "<% ctx(__state) %>"}]' })).context ?? [];
    expect(found.map(({ message }) => message)).toEqual([
      'Variable "__state" that is prefixed with double underscores is considered a private variable and cannot be referenced.',
      'Variable "__state" is referenced before assignment.',
    ]);
  });

  it('are reported by name, each with the whole text', () => {
    const found = inspectWorkflow(
      inTask('with: x, y in <% ctx(xs) %>\ninput: {b: "<% ctx().z %>, <% ctx().a %>", a: "<% ctx(m) %> <% ctx(m) %>"}'),
    ).context;
    expect(found?.map(({ message, expression }) => `${message.split('"')[1]}: ${expression}`)).toEqual([
      'a: <% ctx().z %>, <% ctx().a %>',
      'm: <% ctx(m) %> <% ctx(m) %>',
      'z: <% ctx().z %>, <% ctx().a %>',
      'xs: x, y in <% ctx(xs) %>',
    ]);
  });

  it('are looked for in a transition that retries, whose values the output knows', () => {
    const next = '[{when: <% failed() and ctx().missing %>, publish: [{x: <% ctx().other %>}], do: retry}]';
    const definition = `version: 1.0\ntasks: {t1: {action: a.b, next: ${next}}}\noutput: [{o: <% ctx(x) %>}]\n`;
    expect(unknown(definition)).toEqual([
      'tasks.t1.next[0].publish[0] <% ctx().other %>',
      'tasks.t1.next[0].when <% failed() and ctx().missing %>',
    ]);
  });

  it.each<[string, string, string[]]>([
    ['delay', 'delay: <% ctx(x) %>', ['delay']],
    ['items', 'with: {items: <% ctx(x) %>, concurrency: <% ctx(x) %>}', ['with.concurrency', 'with.items']],
    ['an inline input', 'action: a.b k=<% ctx(x) %>', ['input']],
    ['a dynamic action', 'action: <% ctx(x) %>', ['action']],
    [
      'retry',
      'retry: {count: <% ctx(x) %>, delay: <% ctx(x) %>, when: <% ctx(x) %>}',
      ['retry.count', 'retry.delay', 'retry.when'],
    ],
    ['a growing delay', 'retry: {count: 1, delay: {initial: <% ctx(x) %>, factor: 1}}', ['retry.delay']],
    ['a time limit', 'timeout: <% ctx(x) %>', ['timeout']],
    ['a condition', 'next: [{when: <% ctx(x) %>}]', ['next[0].when']],
    ['publish, in order', 'next: [{publish: [{x: 1}, {y: <% ctx(x) %>}, {z: <% ctx(w) %>}]}]', ['next[0].publish[2]']],
    ['inline publish', 'next: [{publish: x=1 y=<% ctx(x) %> z=<% ctx(w) %>}]', ['next[0].publish[2]']],
  ])('are looked for in %s', (_, task, places) => {
    const definition = `version: 1.0\ntasks:\n  t1:\n    ${task.startsWith('action') ? '' : 'action: a.b\n    '}${task}\n`;
    const found = inspectWorkflow(definition).context ?? [];
    expect(found.map(({ spec_path }) => spec_path)).toEqual(places.map((place) => `tasks.t1.${place}`));
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'flow along transitions',
      {
        a: 'next: [{publish: [{x: 1}], do: b}]',
        b: 'input: {i: <% ctx(x) %>}, next: [{do: c}]',
        c: 'input: {i: <% ctx(x) %>}',
      },
      [],
    ],
    [
      'do not flow into other branches',
      { a: 'next: [{publish: [{x: 1}], do: b}, {do: c}]', b: '', c: 'input: {i: <% ctx(x) %>}' },
      ['tasks.c.input <% ctx(x) %>'],
    ],
    [
      'meet in a join',
      {
        a: 'next: [{publish: [{x: 1}], do: c}]',
        b: 'next: [{publish: [{y: 1}], do: c}]',
        c: 'join: all, input: {i: <% ctx(x) + ctx(y) %>}',
      },
      [],
    ],
    [
      'do not meet in a task that runs once for each branch',
      {
        a: 'next: [{publish: [{x: 1}], do: c}]',
        b: 'next: [{publish: [{y: 1}], do: c}]',
        c: 'input: {i: <% ctx(x) %>}',
      },
      ['tasks.c.input <% ctx(x) %>'],
    ],
    [
      'are known only in the second round of a loop',
      { a: 'next: [{do: b}]', b: 'input: {i: <% ctx(n) %>}, next: [{publish: [{n: 1}], do: b}, {do: c}]', c: '' },
      ['tasks.b.input <% ctx(n) %>'],
    ],
  ])('%s', (_, tasks, expected) => {
    const lines = Object.entries(tasks).map(([name, body]) => `  ${name}: {action: a.b${body && `, ${body}`}}`);
    expect(unknown(`version: 1.0\ntasks:\n${lines.join('\n')}\n`)).toEqual(expected);
  });

  it('reach the output from every branch, including failures', () => {
    const definition = `
version: 1.0
tasks:
  a:
    action: a.b
    next:
      - {when: <% failed() %>, publish: [{x: 1}], do: fail}
      - {when: <% succeeded() %>, publish: [{y: 1}]}
output: [{o: <% ctx(x) + ctx(y) + ctx(z) %>}]
`;
    expect(unknown(definition)).toEqual(['output[0] <% ctx(x) + ctx(y) + ctx(z) %>']);
  });

  it('are reported with their line', () => {
    const definition = `version: 1.0
tasks:
  t1:
    action: core.local
    input:
      fine: 1
      list:
        - 1
        - <% ctx(x) %>
`;
    expect(inspectWorkflow(definition).context).toEqual([
      {
        type: 'yaql',
        expression: '<% ctx(x) %>',
        message: 'Variable "x" is referenced before assignment.',
        spec_path: 'tasks.t1.input',
        schema_path: `${TASK_PATH}.properties.input`,
        line: 9,
        column: 11,
      },
    ]);
  });
});
