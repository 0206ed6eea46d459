import { bool, choice, dict, floatOption, intOption, json, list, str, type Option } from '../src/option';
import { parseValue } from '../src/parse-value';

const text = str('x', '');
describe('parseValue', () => {
  test.each<[Option<unknown>, unknown, unknown]>([
    ...['True', 'true', 'YES', 'on', '1', ' True # always'].map(
      (raw) => [bool(false, ''), raw, true] as [Option<unknown>, unknown, unknown],
    ),
    ...['False', 'no', 'Off', '0'].map((raw) => [bool(true, ''), raw, false] as [Option<unknown>, unknown, unknown]),
    [intOption(1, ''), '-5', -5],
    [intOption(1, ''), '5 # five', 5],
    [floatOption(1, ''), '.5', 0.5],
    [floatOption(1, ''), '1e3', 1000],
    [text, '  a # b', '  a # b'],
    [text, '', ''],
    [list([], ''), ' a, b ,,c # comma separated', ['a', 'b', 'c']],
    [list(['x'], ''), '', []],
    [dict({}, ''), 'name:hash, hash_ranges:0..1024|2048..MAX', { name: 'hash', hash_ranges: '0..1024|2048..MAX' }],
    [dict({}, ''), 'file:/a:b', { file: '/a:b' }],
    [json(''), '{"a": [1]}', { a: [1] }],
    [choice(['PLAIN', 'EXTERNAL'], null, ''), 'plain', 'PLAIN'],
  ])('with %j reads %j as %j', (option, raw, value) => {
    expect(parseValue(raw, option)).toEqual({ value });
  });

  test.each<[Option<unknown>, unknown, unknown]>([
    [intOption(7, ''), 'None', 7],
    [intOption(null, ''), 'None', null],
    [intOption(7, ''), '', 7],
    [bool(true, ''), '', true],
    [str(null, ''), '', null],
    [text, 'None', 'x'],
    [json(''), 'None', null],
    [text, null, 'x'],
  ])('with %j reads %j as unset and returns %j', (option, raw, value) => {
    expect(parseValue(raw, option)).toEqual({ value });
  });

  test.each<[Option<unknown>, unknown, unknown]>([
    [intOption(1, ''), '1.5', 'an integer'],
    [intOption(1, ''), '99999999999999999999', 'an integer'],
    [intOption(1, '', { minimum: 2 }), '1', 'at least 2'],
    [intOption(1, '', { maximum: 2 }), '3', 'at most 2'],
    [floatOption(1, ''), 'NaN', 'a number'],
    [json(''), '[1]', 'a JSON object'],
    [list([], ''), [1], 'a comma separated list'],
    [text, 5, 'a string'],
    [choice(['a', 'b'], 'a', ''), 'c', 'one of a, b'],
  ])('with %j rejects %j', (option, raw, expected) => {
    expect(parseValue(raw, option)).toEqual({ expected });
  });
});
