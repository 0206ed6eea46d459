import { readYaml } from '../../src';

const value = (text: string): unknown => readYaml(text).value;

describe('readYaml', () => {
  it.each([
    ['yes', true],
    ['Off', false],
    ['on', true],
    ['TRUE', true],
    ['y', 'y'],
    ['n', 'n'],
    ['017', 15],
    ['0o17', '0o17'],
    ['0b101', 5],
    ['0x1F', 31],
    ['-12', -12],
    ['1_000', 1000],
    ['1:30', 90],
    ['08', '08'],
    ['1.5', 1.5],
    ['1e3', '1e3'],
    ['1.0e+3', 1000],
    ['.5', 0.5],
    ['~', null],
    ['', null],
    ['2020-01-02', '2020-01-02'],
    ['"yes"', 'yes'],
    ['!!str 5', '5'],
    ['1.2.3', '1.2.3'],
  ])('reads the plain text %s as PyYAML does', (text, expected) => {
    expect(value(`key: ${text}`)).toEqual({ key: expected });
  });

  it('merges keys and follows aliases', () => {
    expect(value('base: &base {a: 1, b: 2}\nown:\n  <<: *base\n  b: 3\nlist: [*base]')).toEqual({
      base: { a: 1, b: 2 },
      own: { a: 1, b: 3 },
      list: [{ a: 1, b: 2 }],
    });
  });

  it.each([
    ['a tab in the indentation', 'a:\n\tb: 1', 2, /[Tt]ab/],
    ['two documents', 'a: 1\n---\nb: 2', 2, /document/],
    ['a tag that makes an object', 'a: 1\nb: !!python/object:os.system {}', 2, /tag/],
    ['a key that reads as true', 'on:\n  x: 1', 1, /"on" that is not a text/],
    ['an open bracket', 'a: [1, 2\n', 2, /"," or "]"/],
    ['a bomb of aliases', bomb(), 5, /alias/i],
    ['brackets without an end', `a: ${'['.repeat(100_000)}`, 1, /nested too deeply/],
    ['braces without an end', `a: ${'{'.repeat(100_000)}`, 1, /nested too deeply/],
    ['more levels than data may have', `a: ${'['.repeat(120)}${']'.repeat(120)}`, 1, /limits\.max_depth/],
    ['a key with a NUL', 'a: {"b\\0c": 1}', 1, /NUL character/],
    ['lists in lists', `a:\n  ${'- '.repeat(100_000)}x`, 2, /nested too deeply/],
    [
      'keys in keys',
      Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      501,
      /nested too deeply/,
    ],
  ])('refuses %s with its line', (_, text, line, message) => {
    const { value: result, problems } = readYaml(text);
    expect(result).toBeUndefined();
    expect(problems[0]).toEqual({ line, text: expect.stringMatching(message) as string });
  });

  it('warns about a duplicate key, and uses its last value', () => {
    const { value: result, warnings } = readYaml('a: 1\nb: 2\na: 3');
    expect(result).toEqual({ a: 3, b: 2 });
    expect(warnings).toEqual([{ line: 3, text: 'found duplicate key "a".' }]);
  });

  it('finds the line of a field, or of the parent of a missing one', () => {
    const yaml = readYaml('a: 1\nlist:\n  - x: 1.10\n  - y: 2\n');
    expect(yaml.lineOf(['list', 1, 'y'])).toBe(4);
    expect(yaml.lineOf(['list', 0, 'gone'])).toBe(3);
    expect(yaml.lineOf(['gone'])).toBe(1);
    expect(yaml.sourceOf(['list', 0, 'x'])).toBe('1.10');
  });
});

function bomb(): string {
  const levels = ['a: &l0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 8; level += 1) {
    levels.push(
      `b${level}: &l${level} [${Array(10)
        .fill(`*l${level - 1}`)
        .join(', ')}]`,
    );
  }
  return levels.join('\n');
}
