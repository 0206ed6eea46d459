import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import { renderText } from '../../src';

const deep = (): unknown => {
  let value: unknown[] = [];
  for (let level = 0; level < 20_000; level += 1) value = [value];
  return value;
};
const context = { deep: deep(), long: 'é'.repeat(1_000_000) };

describe('a runaway template fails quickly', () => {
  test.each([
    [
      'loops',
      '{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}',
      /exceeds its limit of \d+ (?:steps|ms)/,
    ],
    [
      'doubling texts',
      "{% set n = namespace(s='x') %}{% for i in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}",
      /larger/,
    ],
    [
      'shared lists',
      '{% set n = namespace(s=[]) %}{% for i in range(99) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s }}',
      /exceeds its limit of \d+ (?:steps|ms)/,
    ],
    ['a repeated text', "{{ 'x' * 1000000000 }}", /larger/],
    [
      'big texts in a loop',
      "{% for i in range(90000) %}{{ ('x' * 10000000) | upper | length }}{% endfor %}",
      /exceeds its limit of \d+ (?:steps|ms)/,
    ],
    ['a wide field', "{{ '%1000000000d' % 1 }}", /larger/],
    ['a wide format', "{{ '{:>1000000000}'.format(1) }}", /larger/],
    ['a high power', '{{ 9 ** (9 ** 9) }}', 'int too large'],
    ['a long range', '{{ range(10 ** 9) }}', /Range too big/],
    ['endless recursion', '{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(1) }}', 'maximum recursion depth exceeded'],
    ['deep brackets', `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`, /nested too deeply/],
    ['deep data', '{{ deep }}', /recursion/],
    [
      'a list against a list',
      '{{ range(90000) | map("string") | map("list") | list | unique | list | length }}',
      /exceeds its limit of \d+ (?:steps|ms)/,
    ],
    [
      'searching a list often',
      '{% set l = range(20000) | list %}{% for i in l %}{{ -1 in l }}{% endfor %}',
      /exceeds its limit of \d+ (?:steps|ms)/,
    ],
    [
      'a long text often',
      '{% for i in range(99999) %}{{ long | upper | length }}{% endfor %}',
      /exceeds its limit of \d+ (?:steps|ms)/,
    ],
    ['a pattern that backtracks', "{{ ('a' * 3000) | regex_search('(a+)+$x') }}", /did not finish within/],
  ])('%s', (_name, template, message) => {
    const started = cpuTimeMs();
    expect(() => renderText(template, context)).toThrow(message);
    expect(cpuTimeMs() - started).toBeLessThan(10_000);
  });

  test('the next template renders after a failure', () => {
    expect(renderText('{{ 1 + 1 }}', {})).toBe('2');
  });

  test('a long but reasonable template renders', () => {
    const lines = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `n${id}` }));
    const text = renderText('{% for l in lines if l.id is even %}{{ l.id }}: {{ l.name | upper }}\n{% endfor %}', {
      lines,
    });
    expect(text.trimEnd().split('\n')).toHaveLength(2_500);
  });
});
