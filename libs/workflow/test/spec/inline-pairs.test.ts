import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import { inlineAction, inlinePairs } from '../../src/spec/shorthand/inline-pairs';

const pairsOf = (text: string): unknown[] => inlinePairs(text).pairs.map(({ name, value }) => [name, value]);

describe('inlinePairs', () => {
  it.each<[string, unknown]>([
    ['1', 1],
    ['-1.5', -1.5],
    ['true', true],
    ['True', true],
    ['null', null],
    ['[1, 2]', [1, 2]],
    ['["a", "b]"]', ['a', 'b]']],
    ["['a']", "['a']"],
    ["[it's]", "[it's]"],
    ['"two words"', 'two words'],
    ["'single'", 'single'],
    ['""', ''],
    ['"true"', 'true'],
    ['"1"', '1'],
    ['"[1]"', '[1]'],
    [`'{"a": 1}'`, { a: 1 }],
    ["'{not json}'", '{not json}'],
    ['.5', '.5'],
    ['<% ctx().x + 1 %>', '<% ctx().x + 1 %>'],
    ["{{ ctx('x') }}", "{{ ctx('x') }}"],
    [String.raw`"say \"hi\" now"`, 'say "hi" now'],
    [String.raw`"C:\temp\"`, 'C:\\temp\\'],
  ])('reads the value %s', (text, value) => {
    expect(inlinePairs(`x=${text}`)).toEqual({ pairs: [{ name: 'x', value }], rest: [] });
  });

  it.each<[string, unknown[]]>([
    ['a=1 b=2', [['a', 1], ['b', 2]]],
    ['a=1, b=2; c=3\td=4', [['a', 1], ['b', 2], ['c', 3], ['d', 4]]],
    ['x=[1] y=[2]', [['x', [1]], ['y', [2]]]],
    ['a="1" a="2"', [['a', '1'], ['a', '2']]],
    ['größe=1', [['größe', 1]]],
  ])('finds the pairs of %s in order', (text, pairs) => {
    expect(inlinePairs(text).rest).toEqual([]);
    expect(pairsOf(text)).toEqual(pairs);
  }); // oxfmt-ignore

  it.each<[string, string[]]>([
    ['k=v', ['k=v']],
    ['a=1 way=value b=2', ['way=value']],
    ['n=5b', ['b']],
    ['x="never closed', ['x="never closed']],
    ['just words', ['just words']],
  ])('reports ignored parts of %s', (text, rest) => {
    expect(inlinePairs(text).rest).toEqual(rest);
  });

  it.each(['a=[', 'a="', 'a=<%', `a=["\\"`])('gives up early on many unclosed values %s', (piece) => {
    const started = cpuTimeMs();
    inlinePairs(piece.repeat(100_000));
    expect(cpuTimeMs() - started).toBeLessThan(20_000);
  });
});

describe('inlineAction', () => {
  it.each<[string, ReturnType<typeof inlineAction>]>([
    ['core.noop', { action: 'core.noop', rest: [] }],
    ['core.local cmd="a b"', { action: 'core.local', input: [{ name: 'cmd', value: 'a b' }], rest: [] }],
    ['core.local\tcmd=1', { action: 'core.local', input: [{ name: 'cmd', value: 1 }], rest: [] }],
    ['<% ctx().a %>', { action: '<% ctx().a %>', rest: [] }],
    ['<% ctx().a %> x=1', { action: '<% ctx().a %>', input: [{ name: 'x', value: 1 }], rest: [] }],
    ['{{ ctx("a") }}.b x=1', { action: '{{ ctx("a") }}.b', input: [{ name: 'x', value: 1 }], rest: [] }],
    ['core.local cmd=date', { action: 'core.local cmd=date', rest: [] }],
    ['core.local cmd=date x=1', { action: 'core.local', input: [{ name: 'x', value: 1 }], rest: ['cmd=date'] }],
  ])('splits %s', (text, parts) => {
    expect(inlineAction(text)).toEqual(parts);
  });
});
