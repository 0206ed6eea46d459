import { loadYaml, locateYaml, needsQuotes, YamlError, type YamlNode } from '../src';

function problemOf(text: string): YamlError {
  try {
    loadYaml(text);
  } catch (error) {
    if (error instanceof YamlError) return error;
    throw error;
  }
  throw new Error('no problem');
}

describe('loadYaml', () => {
  it('reads quoted text whose further lines are not indented', () => {
    expect(loadYaml('parameters:\n  id:\n    description: "one\n\ntwo\nthree"\n    type: string\n').value).toEqual({
      parameters: { id: { description: 'one\ntwo three', type: 'string' } },
    });
  });

  it('warns of duplicate keys, keys that are not texts and tabs between values, with their places', () => {
    const { value, warnings } = loadYaml('a: 1\non: 2\na:\t3\n');
    expect(value).toEqual({ a: 3, true: 2 });
    expect(warnings.map(({ kind, line, column }) => [kind, line, column])).toEqual([
      ['tab', 3, 3],
      ['key-not-text', 2, 1],
      ['duplicate-key', 3, 1],
    ]);
  });

  it.each([
    ['a tab in the indentation', 'a:\n\tb: 1', /tab in the indentation/, 2, 1],
    ['a key without a colon', 'a: 1\nb\nc: 2', /":" after a key/, 2, 1],
    ['text that begins with an at sign', 'a: @b', /put the text in quotes/, 1, 4],
    ['a colon in a plain text', 'a: b: c', /put texts with ": " in quotes/, 1, 5],
    ['an alias inside the value that it repeats', 'a: &x [*x]', /inside the value that it refers to/, 1, 8],
    ['a control character', 'a: b\nc: \x07', /U\+0007/, 2, 4],
    ['a bracket without its end', 'a: [b\nc: d', /"," or "]"/, 2, 2],
  ])('refuses %s, with its place', (_, text, message, line, column) => {
    const problem = problemOf(text);
    expect(problem.message).toMatch(message);
    expect([problem.line, problem.column]).toEqual([line, column]);
  });

  it('keeps a key that is the prototype of objects', () => {
    const { value } = loadYaml('__proto__: {polluted: true}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('repeats the values of aliases, within bounds', () => {
    expect(loadYaml(`a: &x [1]\nb: [${'*x, '.repeat(500)}]`).value).toHaveProperty('b.499', [1]);
    const levels = Array.from({ length: 9 }, (_, level) => `- &l${level + 1} [${`*l${level}, `.repeat(10)}]`);
    expect(problemOf(['- &l0 x', ...levels].join('\n')).message).toMatch(/aliases repeat more than/);
  });

  it('finds the key of a value, or of the nearest parent', () => {
    const root = loadYaml('a: &x {b: 1.10}\nc:\n  <<: *x\n  d: [1, 2]\n').root as YamlNode;
    expect(locateYaml(root, ['c', 'b'])).toMatchObject({ line: 1, column: 8, found: true, node: { text: '1.10' } });
    expect(locateYaml(root, ['c', 'd', 1])).toMatchObject({ line: 4, column: 10, found: true });
    expect(locateYaml(root, ['c', 'gone', 'deeper'])).toMatchObject({ line: 2, column: 1, found: false });
  });

  it('recognizes texts that would be read as another type', () => {
    const texts = ['yes', '010', '1:30', '2020-01-02', '', '.inf', '<<', 'y', '1e3', 'text'];
    expect(texts.filter(needsQuotes)).toEqual(['yes', '010', '1:30', '2020-01-02', '', '.inf', '<<']);
  });
});
