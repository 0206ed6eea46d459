import { evaluate } from '../../src';
import { scopeOf } from './scope-of';

const outside = ['<% 1 + 1 %>', '{{ 1 + 1 }}', '{% raw %}', '<% ctx(secret) %>', '{{ ctx().secret }}', '%> }} <%'];

describe.each(outside)('an external text, %s,', (text) => {
  const scope = scopeOf(
    { text, nested: { list: [text], [text]: 1 }, secret: 'hush' },
    { item: text, currentTask: { id: 't1', route: 0, status: 'succeeded', result: text } },
  );

  test.each(['ctx().text', 'item()', 'result()', 'ctx().nested.list[0]', "'' + ctx().text"])(
    'is the unchanged value of %s',
    (expression) => {
      expect(evaluate([`<% ${expression} %>`, `{{ ${expression} }}`], scope)).toEqual([text, text]);
    },
  );

  test('is not evaluated inside other texts, lists and keys', () => {
    expect(evaluate('[<% ctx().text %>][<% ctx(text) %>]', scope)).toBe(`[${text}][${text}]`);
    expect(evaluate('[{{ ctx().text }}]{% if true %}{{ ctx().text }}{% endif %}', scope)).toBe(`[${text}]${text}`);
    expect(evaluate('<% ctx().nested %>', scope)).toEqual({ list: [text], [text]: 1 });
    expect(evaluate({ '{{ ctx().text }}': '<% [ctx().text] %>' }, scope)).toEqual({ [text]: [text] });
  });
});
