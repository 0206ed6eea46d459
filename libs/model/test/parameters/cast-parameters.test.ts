import { castParameters, NONE_TEXT } from '../../src';

const cast = (type: string | undefined, value: unknown): unknown =>
  castParameters({ p: value }, { p: type === undefined ? {} : { type } }).p;

it.each<[type: string | undefined, value: unknown, result: unknown]>([
  ['string', 'x', 'x'],
  ['string', null, null],
  ['string', NONE_TEXT, null],
  ['integer', NONE_TEXT, null],
  ['integer', '7', 7],
  ['integer', ' +1_000 ', 1000],
  ['integer', '-9007199254740991', -9007199254740991],
  ['integer', 1.9, 1],
  ['integer', -1.9, -1],
  ['integer', true, 1],
  ['number', '2.5', 2.5],
  ['number', '.5e1', 5],
  ['number', false, 0],
  ['boolean', 'true', true],
  ['boolean', 'FALSE', false],
  ['boolean', '1', 1],
  ['boolean', 0, 0],
  ['array', '[1, "a"]', [1, 'a']],
  ['array', "[1, 'a', None, (True,),]", [1, 'a', null, [true]]],
  ['array', '[9007199254740993, "a"]', ['9007199254740993', 'a']],
  ['array', '(9007199254740993, None)', ['9007199254740993', null]],
  ['array', '1,2,3', [1, 2, 3]],
  ['array', " 'a', {'b': 1}, \n", ['a', { b: 1 }]],
  ['array', '5', 5],
  ['array', 5, 5],
  ['object', '{"k": 1}', { k: 1 }],
  ['object', "{'k': 'it\\'s', \"n\": -1.5, 3: {}}", { k: "it's", n: -1.5, 3: {} }],
  ['object', [1], [1]],
  [undefined, '5', '5'],
  ['null', 'x', 'x'],
])('to %s, converts %j to %j', (type, value, result) => expect(cast(type, value)).toEqual(result));

it.each<[type: string, value: unknown, cause: string]>([
  ['integer', 'x', "invalid literal for int() with base 10: 'x'"],
  ['integer', '1.5', "invalid literal for int() with base 10: '1.5'"],
  ['integer', '1234567890123456789', 'an integer beyond 2^53 would lose digits'],
  ['integer', [1], "int() argument must be a text or a number, not 'list'"],
  ['number', 'x', "could not convert string to float: 'x'"],
  ['number', 'inf', "could not convert string to float: 'inf'"],
  ['number', {}, "float() argument must be a text or a number, not 'dict'"],
  ['boolean', 'perhaps', 'neither JSON nor a literal'],
  ['object', 'text', 'neither JSON nor a literal'],
  ['array', '[1', 'expected a comma or ]'],
  ['array', '1,,2', 'neither JSON nor a literal'],
  ['array', ',', 'neither JSON nor a literal'],
  ['array', '__import__("os")', 'neither JSON nor a literal'],
  ['array', '['.repeat(5000), 'nested too deeply'],
])('to %s, fails for %j and names the parameter', (type, value, cause) => {
  const message = expect.stringContaining(cause) as string;
  expect(() => cast(type, value)).toThrow(expect.objectContaining({ status: 400, code: 'parameter.cast', message }));
  expect(() => cast(type, value)).toThrow('for parameter "p"');
});

it.each<[unknown, string]>([
  [5, 'Value "5" must either be a string or None. Got "int".'],
  [true, 'Value "True" must either be a string or None. Got "bool".'],
  [['a'], 'Value "[\'a\']" must either be a string or None. Got "list".'],
])('does not convert %j to text', (value, message) => {
  expect(() => cast('string', value)).toThrow(message);
  expect(() => cast('string', value)).toThrow('"p"');
});

it('hides a secret that cannot be cast', () => {
  const definitions = { pin: { type: 'integer', secret: true } };
  expect(() => castParameters({ pin: 'hunter2' }, definitions)).toThrow('"********"');
  expect(() => castParameters({ pin: 'hunter2' }, definitions)).not.toThrow('hunter2');
});

it('passes undefined parameters through, without changing the input', () => {
  const values = Object.freeze({ a: '1', toString: 'x' });
  expect(castParameters(values, { a: { type: 'integer' } })).toEqual({ a: 1, toString: 'x' });
});
