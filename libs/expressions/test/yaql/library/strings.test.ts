import { fails, testAnswers } from '../answers';
import { scopeOf } from '../host';

const scope = scopeOf({ mixed: 'a😀b😀', blanks: '\t one\u3000two \n' });

describe('strings', () => {
  testAnswers(
    [
      ["'ß'.toUpper() + 'ÀÉ'.toLower()", 'SSàé'],
      ['ctx(mixed).len()', 4],
      ['ctx(mixed).substring(1, 2)', '😀b'],
      ['ctx(mixed).substring(-1)', '😀'],
      ['ctx(mixed).indexOf(b)', 2],
      ["ctx(mixed).lastIndexOf('😀')", 3],
      ['ctx(mixed).toCharArray()', ['a', '😀', 'b', '😀']],
      ["ctx(mixed).replace('', '-')", '-a-😀-b-😀-'],
      ['ctx(blanks).trim()', 'one\u3000two'],
      ['ctx(blanks).split()', ['one', 'two']],
      ["' a  b c '.split(null, 1)", ['a', 'b c ']],
      ["' a  b c '.rightSplit(null, 1)", [' a  b', 'c']],
      ["''.split()", []],
      ["''.split(',')", ['']],
      ["'a,,b'.split(',')", ['a', '', 'b']],
      ["'a,b,c'.split(',', 0)", ['a,b,c']],
      ["'a,b,c'.rightSplit(',', maxSplits => 1)", ['a,b', 'c']],
      ["'a---b'.rightSplit('--') + 'a---b'.split('--')", ['a-', 'b', 'a', '-b']],
      ["'a'.rightSplit('')", fails('ValueError: empty separator')],
      ["[1, true, null, [x]].join(', ')", "1, true, null, ('x',)"],
      ["', '.join([a].select($))", 'a'],
      ["'abcabc'.replace(b, '', 1)", 'acabc'],
      ["'abc'.replace(b, x, 0)", 'abc'],
      ["'1a'.replace({1 => a, a => null})", 'nullnull'],
      ["'abc'.substring(1, 0) + 'abc'.substring(-5, 4)", 'b'],
      ["'abcabc'.indexOf(c, 3) + 'abcabc'.indexOf(c, 0, 2) + 'abcabc'.indexOf(a, -3, -1)", 7],
      ["'abcabc'.lastIndexOf(a, 0, 3)", 0],
      ["'abc'.indexOf('', 3) + 'abc'.indexOf('', 4)", 2],
      ["'--x-'.trim('-') + '--x-'.trimLeft('-') + '--x-'.trimRight('-')", 'xx---x'],
      ["'  '.norm() = null and ' a '.norm() = a and norm(null) = null", true],
      ["isEmpty(' ') and isEmpty(null) and not isEmpty(' ', false) and isEmpty('--', chars => '-')", true],
      ["'abc'.startsWith(x, ab) and not 'abc'.endsWith() and 'abc'.endsWith(c)", true],
      ['hex(255) + hex(-1) + hex(0)', '0xff-0x10x0'],
      ['hex(1.0)', fails("TypeError: 'float' object cannot be interpreted as an integer")],
      ['hex(null)', fails("TypeError: 'NoneType' object cannot be interpreted as an integer")],
      ["characters(octdigits => true, digits => true).join('')", '0123456789'],
      ['characters(letters => true, uppercase => true).len()', 52],
      ['str(set(1)) + str([1].select($)).substring(0, 1) + str([]) + str([a])', "frozenset({1})<()('a',)"],
      ["str('a b'.split()) + str({a => [null]})", "['a', 'b']{'a': (None,)}"],
      ["'ab' * 2 + 2 * 'c' + 'x' * 0 + 'y' * -1", 'ababcc'],
      ["'b' in abc and not ('z' in abc) and '' in abc", true],
      ["isString('') and not isString(null)", true],
    ],
    scope,
  );
});
