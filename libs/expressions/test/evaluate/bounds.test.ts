import { evaluate } from '../../src';
import { scopeOf } from './scope-of';

const nested = (depth: number, leaf: unknown): unknown => {
  let value = leaf;
  for (let each = 0; each < depth; each += 1) value = [value];
  return value;
};

/** A value with 2^`depth` leaves but only `depth` objects. */
const shared = (depth: number): unknown => {
  let value: unknown = 1;
  for (let each = 0; each < depth; each += 1) value = { a: value, b: value };
  return value;
};

const scope = scopeOf({
  shared: shared(60),
  deep: nested(50_000, 1),
  text: 'x'.repeat(1_000_000),
});

describe('an unbounded evaluation fails with its own error', () => {
  test.each<[string, unknown, RegExp]>([
    ['loops', '{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}', /BudgetError/],
    ['powers', '{{ 9 ** (9 ** 9) }}', /OverflowError/],
    ['long texts', "{{ ctx().text * 1000 }}", /BudgetError/],
    ['many long texts', "{{ ctx().text * 10 }}".repeat(4), /longer than/],
    ['deep values as text', '-{{ ctx().deep }}', /RecursionError/],
    ['deep values', '{{ ctx().deep }}', /RecursionError/],
    ['endless values', '{{ ctx().shared }}', /BudgetError/],
    ['endless YAQL values', '<% ctx().shared %>', /parts/],
    ['endless YAQL lists', '<% range(10000).selectMany(range(10000)).len() %>', /Exceeded|exceeds|steps/],
    ['deep YAQL values', '<% ctx().deep %>', /RecursionError/],
    ['deep arguments', '{{ to_json_string(ctx().deep) }}', /RecursionError/],
    ['deep expressions', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`, /nested too deeply|RecursionError/],
    ['deep definitions', nested(50_000, '{{ 1 }}'), /RecursionError/],
    ['patterns', "{{ regex_match(ctx().text ~ 'y', '(x+x+)+$') }}", /ValueError|BudgetError/],
  ])('%s', (_name, value, message) => {
    expect(() => evaluate(value, scope)).toThrow(message);
  }); // oxfmt-ignore
});
