import { scriptArguments } from '../../src';

describe('positional arguments', () => {
  it.each<[type: string | undefined, value: unknown, text: string]>([
    ['string', 'a b', 'a b'],
    ['string', null, ''],
    ['integer', 2, '2'],
    ['integer', 0, '0'],
    ['number', 2.5, '2.5'],
    ['number', 3, '3.0'],
    ['boolean', true, '1'],
    ['boolean', false, '0'],
    ['boolean', null, ''],
    ['array', ['x', 'y z', 3, true], 'x,y z,3,True'],
    ['array', [], ''],
    ['object', { k: 'v', n: 1 }, '{"k":"v","n":1}'],
    ['object', {}, ''],
    [undefined, 0, '0'],
    [undefined, false, ''],
    [undefined, 'x', 'x'],
  ])('of type %s: %j', (type, value, text) => {
    const definition = type === undefined ? { position: 0 } : { type, position: 0 };
    expect(scriptArguments({ p: definition }, { p: value })).toEqual([text]);
  });
});

it('puts named arguments first and positional ones by position', () => {
  const definitions = { b: { position: 1 }, a: { position: 0 }, named: { type: 'string' }, flag: { type: 'boolean' } };
  const values = { b: 'B', flag: true, a: null, named: 'n v' };
  expect(scriptArguments(definitions, values)).toEqual(['--flag', '--named=n v', '', 'B']);
  expect(scriptArguments(definitions, values, '')).toEqual(['flag', 'named=n v', '', 'B']);
});

it.each<[unknown, string[]]>([
  [null, []],
  ['', []],
  [false, []],
  [true, ['--p']],
  [0, ['--p=0']],
  [['a', 1], ["--p=['a', 1]"]],
  [{ a: [1] }, ['--p={"a":[1]}']],
])('formats %j as a named argument', (value, expected) =>
  expect(scriptArguments({ p: {} }, { p: value })).toEqual(expected),
);
