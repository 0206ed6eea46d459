import { pythonRepr, pythonStr, pythonTypeName } from '../../src';

describe('pythonRepr', () => {
  it.each<[unknown, string]>([
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
    ['text', "'text'"],
    ["it's", '"it\'s"'],
    ['say "x"', '\'say "x"\''],
    ['both \' and "', "'both \\' and \"'"],
    ['back\\slash', "'back\\\\slash'"],
    ['line\nbreak\ttab', "'line\\nbreak\\ttab'"],
    ['nul\0 del\x7f', "'nul\\x00 del\\x7f'"],
    ['žluť 日本 😀', "'žluť 日本 😀'"],
    ['a\u00a0b\u2028c\ufeff', "'a\\xa0b\\u2028c\\ufeff'"],
    ['\ud800', "'\\ud800'"],
    [5, '5'],
    [-1.5, '-1.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.25e-7, '1.25e-07'],
    [1e300, '1e+300'],
    [[1, 'a', null], "[1, 'a', None]"],
    [{ a: { b: [] }, c: {} }, "{'a': {'b': []}, 'c': {}}"],
  ])('prints %j as Python does', (value, text) => expect(pythonRepr(value)).toBe(text));

  it('omits the quotes of a text printed on its own', () => {
    expect([pythonStr("it's"), pythonStr(["it's"])]).toEqual(["it's", '["it\'s"]']);
  });

  it('returns the names of Python types', () => {
    const values = [null, true, 1, 1.5, 'a', [], {}];
    expect(values.map(pythonTypeName)).toEqual(['NoneType', 'bool', 'int', 'float', 'str', 'list', 'dict']);
  });
});
