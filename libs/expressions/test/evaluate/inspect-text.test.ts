import { inspectText, isExpression, isWholeExpression, variablesOf } from '../../src';

describe('the expressions of a text', () => {
  test('have their language, offset and problem', () => {
    expect(inspectText('a {{ ctx().x }} b {{ 1 + }}')).toEqual([
      { language: 'jinja', expression: '{{ ctx().x }}', offset: 2, problem: undefined },
      { language: 'jinja', expression: '{{ 1 + }}', offset: 18, problem: "unexpected 'end of print statement'" },
    ]);
    expect(inspectText('<% ctx().x %> <% 1 +/ 2 %>')).toEqual([
      { language: 'yaql', expression: '<% ctx().x %>', offset: 0, problem: undefined },
      {
        language: 'yaql',
        expression: '<% 1 +/ 2 %>',
        offset: 14,
        problem: "Parse error: unexpected '/' at position 3 of expression '1 +/ 2'",
      },
    ]);
  });

  test.each<[string, string]>([
    ['<% 1 + %>', 'Parse error: unexpected end of statement'],
    ['<% ctx().__x %>', "Lexical error: illegal character '_' at position 6"],
    ['{{ ctx( }}', "unexpected '}', expected ')'"],
    [
      '{% if x %}',
      "Unexpected end of template. Jinja was looking for the following tags: 'elif' or 'else' or 'endif'. The innermost block that needs to be closed is 'if'.",
    ],
    ['{% nope %}', "Encountered unknown tag 'nope'."],
  ])('a problem of %s', (text, problem) => {
    expect(inspectText(text)).toMatchObject([{ expression: text, problem }]);
  });

  test('in both languages give one finding without a language', () => {
    for (const expression of ['<% 1 %> {{ 2 }}', '{% if x %}<% 1 %>{% endif %}']) {
      const problem = 'Expression with multiple types is not supported.';
      expect(inspectText(expression)).toEqual([{ language: null, expression, offset: 0, problem }]);
    }
  });

  test('inside a template are found together with the template', () => {
    const text = '{% for x in ctx().l %}{{ x }}{% endfor %}';
    expect(inspectText(text)).toEqual([
      { language: 'jinja', expression: text, offset: 0, problem: undefined },
      { language: 'jinja', expression: '{{ x }}', offset: 22, problem: undefined },
    ]);
  });

  test.each(['{{ 1 }} {{ 2', '{{ 1 }} {# note', '{{ 1 }}{{'])('are found next to an unclosed one: %s', (text) => {
    expect(inspectText(text)).toEqual([
      { language: 'jinja', expression: text, offset: 0, problem: expect.any(String) as unknown },
      { language: 'jinja', expression: '{{ 1 }}', offset: 0, problem: undefined },
    ]);
  });

  test('may have delimiter characters at their ends', () => {
    for (const text of ['<% 1 + 1 %%>', '<%% 1 + 1 %>', '<%<% 1 + 1 %>', '<%1 + 1>%>'])
      expect(inspectText(text)).toEqual([{ language: 'yaql', expression: text, offset: 0, problem: undefined }]);
  });

  test('are not found in plain text and raw blocks', () => {
    for (const text of ['', 'plain', '{{', '<%', '{%', '{# no #}']) expect(inspectText(text)).toEqual([]);
    expect(inspectText('{% raw %}{{ 1 + }} <% 1 + %>{% endraw %}')).toMatchObject([{ problem: undefined }]);
  });
});

describe('the variables that a text names', () => {
  test.each<[string, string[]]>([
    ['<% ctx().x %>', ['x']],
    ['<% ctx(x) %>', ['x']],
    ['<% ctx(\'x\') + ctx("y") %>', ['x', 'y']],
    ['<% ctx().x.y.len() + ctx(x) %>', ['x']],
    ["{{ ctx('x') }} {{ ctx().y | length }}", ['x', 'y']],
    ['<% ctx().__state %>', ['__state']],
    ['<% ctx().a-b %>', ['a']],
    ['<% ctx().get(x) or ctx().keys() %>', []],
    ['<% ctx()["x"] + ctx( x ) %>', []],
    ['<% actx(x) + $.ctx %>', []],
    ["<% ctx('has-dash') %>", []],
    ['{% if ctx().x %}{{ ctx().y }}{% endif %}', ['y']],
    ['{% raw %}{{ ctx().x }}{% endraw %}', []],
    ['ctx().x', []],
  ])('%s', (text, names) => {
    expect(variablesOf(text).map(({ name }) => name)).toEqual(names);
  });

  test('come with their language, once', () => {
    expect(variablesOf('a <% ctx(x) %> b <% ctx(x) + ctx(y) %>')).toEqual([
      { name: 'x', language: 'yaql' },
      { name: 'y', language: 'yaql' },
    ]);
  });
});

test.each<[string, boolean, boolean]>([
  ['<% 1 %>', true, true],
  ['{{ 1 }}', true, true],
  ['<% "%>" %>', true, true],
  ['{{ "}}" }}', true, true],
  ['<% 1\n %>', true, true],
  [' <% 1 %>', true, false],
  ['<% 1 %><% 2 %>', true, false],
  ['x in <% 1 %>', true, false],
  ['{% if x %}{% endif %}', true, false],
  ['<% 1 %>{{ 2 }}', true, false],
  ['core.local', false, false],
  ['a <% b', false, false],
])('%j: expression %s, whole %s', (text, any, whole) => {
  expect([isExpression(text), isWholeExpression(text)]).toEqual([any, whole]);
});
