import { renderPattern, renderText } from '../../src';

const HEADS = ['', 'x', '[', '{"a": ', '"', '1', ' ', '-', 't', '\n', '{ ', 'é'];
const TAILS = ['', 'x', ']', '}', '"', '5', '.5', 'e3', 'E', '-5', ' 5', ' x', ', 1]', ' ', '\n', '\n5', '"}', '\nx'];
const VALUES = [3, -1.5, 0, 'x', '12', 'a"b', '', true, null, [1, 'a'], { k: 1 }, 'e'];

/**
 * The expected result of a pattern with one expression: the JSON document that it makes with the value as JSON, else
 * its text.
 */
function expected(pattern: string, head: string, value: unknown, tail: string): unknown {
  try {
    return JSON.parse(head + JSON.stringify(value) + tail);
  } catch {
    return renderText(pattern, { trigger: { value } });
  }
}

describe('a pattern with one expression', () => {
  it.each(HEADS)('gives JSON if possible, after %j', (head) => {
    for (const tail of TAILS)
      for (const value of VALUES) {
        const pattern = `${head}{{ trigger.value }}${tail}`;
        const rendered = renderPattern(pattern, { trigger: { value } }, {});
        expect({ pattern, value, rendered }).toEqual({
          pattern,
          value,
          rendered: expected(pattern, head, value, tail),
        });
      }
  });

  it.each(TAILS)('with trimmed space gives JSON if possible, before %j', (tail) => {
    for (const value of VALUES) {
      const pattern = `{{ trigger.value -}} ${tail}`;
      const rendered = renderPattern(pattern, { trigger: { value } }, {});
      const wanted = expected(pattern, '', value, ` ${tail}`.trimStart());
      expect({ pattern, value, rendered }).toEqual({ pattern, value, rendered: wanted });
    }
  });

  it.each([
    ['{{ "}}" }}-x', '}}-x'],
    ['{{ trigger.value }}-{{ trigger.value }}', '3-3'],
    ['{{ trigger.value }}{# 5 #}', 3],
    ['{% if true %}{{ trigger.value }}{% endif %}', 3],
    ['{{ trigger.value }}{% if true %}5{% endif %}', 35],
    ["{{ {'k': trigger.value} }}", { k: 3 }],
  ])('%s renders to %j', (pattern, value) =>
    expect(renderPattern(pattern, { trigger: { value: 3 } }, {})).toEqual(value),
  );
});
