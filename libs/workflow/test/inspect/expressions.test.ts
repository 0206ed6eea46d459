import { inspectWorkflow } from '../../src';

const found = (definition: Record<string, unknown>): unknown[] =>
  (inspectWorkflow({ version: 1, tasks: { t1: { action: 'a.b' } }, ...definition }).expressions ?? []).map(
    ({ type, spec_path, expression }) => [type, spec_path, expression],
  );

describe('expressions', () => {
  it.each<[string, Record<string, unknown>, unknown[]]>([
    ['valid ones', { vars: [{ a: '<% 1 + 1 %>' }, { b: '{{ 1 + 1 }}' }] }, []],
    ['YAQL', { vars: [{ a: 1 }, { b: ['<% 1 +/ 2 %>'] }] }, [['yaql', 'vars', '<% 1 +/ 2 %>']]],
    ['Jinja', { output: [{ a: 'x {{ 1 + }} y' }] }, [['jinja', 'output', '{{ 1 + }}']]],
    ['both at once', { vars: [{ a: '<% 1 %> {{ 2 }}' }] }, [[null, 'vars', '<% 1 %> {{ 2 }}']]],
    [
      'conditions',
      { tasks: { t1: { action: 'a.b', next: [{ when: '<% <% succeeded() %>' }] } } },
      [['yaql', 'tasks.t1.next[0].when', '<% <% succeeded() %>']],
    ],
    ['an unclosed one next to others', { vars: [{ a: '{{ 1 }} {{ 2' }] }, [['jinja', 'vars', '{{ 1 }} {{ 2']]],
    ['lists of maps with more than one key', { vars: [{ a: 1, b: '<% ( %>' }] }, [['yaql', 'vars', '<% ( %>']]],
    ['maps in place of lists', { output: { a: 1, b: '<% ( %>' } }, [['yaql', 'output', '<% ( %>']]],
    [
      'names of inputs',
      { tasks: { t1: { action: 'a.b', input: { '<% ( %>': 1 } } } },
      [['yaql', 'tasks.t1.input', '<% ( %>']],
    ],
  ])('%s', (_, definition, expected) => {
    expect(found(definition)).toEqual(expected);
  });

  it.each(['<% succeeded() %%>', '<%% succeeded() %>', '<%<% succeeded() %>', '<%succeeded()%>'])(
    'may have delimiter characters at their ends: %s',
    (when) => {
      expect(found({ tasks: { t1: { action: 'a.b', next: [{ when }] } } })).toEqual([]);
    },
  );

  it("report the parser's message", () => {
    const { expressions } = inspectWorkflow({
      version: 1,
      vars: [{ a: '<% 1 +/ 2 %>' }],
      tasks: { t1: { action: 'a.b' } },
    });
    expect(expressions?.[0]?.message).toMatch(/unexpected/);
  });
});
