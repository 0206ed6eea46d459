import { DefinitionError, parseYaml } from '../../src';

function failureOf(text: string): DefinitionError {
  try {
    parseYaml(text);
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
  throw new Error('no failure');
}

describe('parseYaml', () => {
  it.each([
    ['yes', true],
    ['y', 'y'],
    ['Off', false],
    ['017', 15],
    ['-0x1F', -31],
    ['1_000', 1000],
    ['0_', 0],
    ['1:30', 90],
    ['1e3', '1e3'],
    ['1.0e+3', 1000],
    ['~', null],
    ['2020-01-02', '2020-01-02'],
    ['!!str 5', '5'],
  ])('reads %s as PyYAML does', (text, value) => {
    expect(parseYaml(`key: ${text}`).value).toEqual({ key: value });
  });

  it('merges keys and follows aliases', () => {
    expect(parseYaml('base: &base {a: 1, b: 2}\nown:\n  <<: *base\n  b: 3\nlist: [*base]').value).toEqual({
      base: { a: 1, b: 2 },
      own: { a: 1, b: 3 },
      list: [{ a: 1, b: 2 }],
    });
  });

  it.each([
    ['a duplicate key', 'a:\n  k: 1\n  b: 2\n  k: 3', 'found duplicate key "k".', 4, 3],
    ['a tab in the indentation', 'a:\n\tb: 1', /tab/i, 2, 1],
    ['two documents', 'a: 1\n---\nb: 2', /document/, 2, 1],
    ['a tag that makes an object', 'a: 1\nb: !!python/object:os.system {}', /tag/, 2, 4],
    ['a key that reads as a boolean', 'a: 1\non:\n  x: 1', /"on" .* not a text/, 2, 1],
    ['a bomb of aliases', bomb(), /alias/i, 6, 15],
  ])('refuses %s with its place', (_, text, reason, line, column) => {
    const { message, position } = failureOf(text);
    expect(message).toMatch(/^Failed to load workflow definition because /);
    expect(message).toMatch(reason);
    expect(position).toEqual({ line, column });
  });

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['maps', '{a: '.repeat(100_000)],
    ['dashes', '- '.repeat(100_000)],
    ['question marks', '? '.repeat(100_000)],
    ['very many question marks', '? '.repeat(300_000)],
    ['very many dashes', '- '.repeat(300_000)],
    [
      'lines with empty ones between them',
      Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}a:\n `).join('\n'),
    ],
    ['indented lines', Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('refuses deep nesting of %s', (_, text) => {
    expect(failureOf(text).message).toMatch(/nested too deeply/);
  });

  it('reads a long text', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `- {a: [${index}], b: "x"}`);
    expect(parseYaml(lines.join('\n')).value).toHaveLength(20_000);
  });

  it('refuses a text that is too long', () => {
    expect(failureOf(`a: ${'x'.repeat(1024 * 1024)}`).message).toMatch(/longer than/);
  });

  it('gives the place of a value, or of the nearest ancestor of a missing one', () => {
    const text = parseYaml('a: 1\nlist:\n  - x: 1.10\n  - &two\n    y: 2\nagain: *two\n');
    expect(text.positionOf(['list', 1, 'y'])).toEqual({ line: 5, column: 5 });
    expect(text.positionOf(['again', 'y'])).toEqual({ line: 5, column: 5 });
    expect(text.positionOf(['list', 0, 'gone', 'deeper'])).toEqual({ line: 3, column: 5 });
    expect(text.sourceOf(['list', 0, 'x'])).toBe('1.10');
  });
});

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}*l${i}]`);
  return ['l0: &l0 [x, x, x]', ...levels].join('\n');
}
