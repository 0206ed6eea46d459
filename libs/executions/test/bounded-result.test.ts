import { defaultDataLimits } from '@switchyard/base';
import { boundedResult } from '../src/result';

const limits = { ...defaultDataLimits, maxDepth: 5, maxMembers: 20, maxStringLength: 40 };

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('a result', () => {
  it('is stored unchanged within the limits, with spare levels for the enclosing values', () => {
    const result = { output: nested(13), text: 'x'.repeat(40), n: 1 };
    expect(boundedResult(result, limits)).toBe(result);
  });

  it.each([
    ['nested too deep', nested(14), /^\[+1\]+\n\[kept as text: .*limits\.max_depth\)\]$/],
    ['nested so deep that it has no text', nested(100_000), /^\n\[kept as text: .*limits\.max_depth\)\]$/],
    ['too wide', Array.from({ length: 21 }, () => 0), /\[kept as text: .*limits\.max_members\)\]$/],
    ['a text too long', 'x'.repeat(41), /^x{40}\n\[output truncated: 40 bytes kept \(limits\.max_string_length\)\]$/],
    ['with a NUL in a key', { 'a\0': 1 }, /NUL character\]$/],
  ])('replaces a member that is %s by a text with a note', (_, output, text) => {
    const bounded = boundedResult({ output, n: 1 }, limits);
    expect(bounded).toEqual({ output: expect.stringMatching(text) as string, n: 1 });
  });
});
