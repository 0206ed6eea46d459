import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import { inspectText } from '../../src';

const found = (text: string): string[] => inspectText(text).map(({ expression }) => expression);

describe('the end of an expression', () => {
  test.each<[string, string[]]>([
    ['<% "%>" %>', ['<% "%>" %>']],
    ["<% '%>' + `%>` %> and <% 1 %>", ["<% '%>' + `%>` %>", '<% 1 %>']],
    ['<% "\\"%>" %>', ['<% "\\"%>" %>']],
    ["<% it's %> x <% 2 %>", ["<% it's %>", '<% 2 %>']],
    ['<% 1 +\n 1 %>\n<% 2 %>', ['<% 1 +\n 1 %>', '<% 2 %>']],
    ['{{ "}}" }}{{ 1 }}', ['{{ "}}" }}', '{{ 1 }}']],
    ["{{ {'a': {'b': {}}} }}", ["{{ {'a': {'b': {}}} }}"]],
    ['{{ ( }} {{ 1 }}', ['{{ ( }}', '{{ 1 }}']],
    ['{{ # }} {{ "}}" }}', ['{{ # }}', '{{ "}}']],
    ['{{- 1 -}} {{ 2 }}', ['{{- 1 -}}', '{{ 2 }}']],
    ['{{ 1 }} {{ 2', ['{{ 1 }} {{ 2', '{{ 1 }}']],
    ['<% 1 %> <% 2', ['<% 1 %>']],
    ['<% {{ %>', ['<% {{ %>']],
    ['{{}}', ['{{}}']],
    ['<%%>', ['<%%>']],
  ])('%j', (text, expressions) => {
    expect(found(text)).toEqual(expressions);
  });

  test.each([
    '{{ ',
    '<% ',
    '{% ',
    "<% ' ",
    '{{ ( "}}" ',
    '<% "%>" \' ',
    '{% raw %} ',
    '{% raw %} endraw ',
    '{{ [ }} ',
    "{{ ' }} ",
    '{% raw %}{% endraw %}',
    'ctx().a',
    '<% ctx().a( %> ',
  ])('is found quickly, however many %j there are', (part) => {
    const started = cpuTimeMs();
    inspectText(part.repeat(300_000 / part.length));
    inspectText(`${part.repeat(300_000 / part.length)}}} %} %>`);
    expect(cpuTimeMs() - started).toBeLessThan(10_000);
  });
});
