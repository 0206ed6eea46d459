import { fails, testAnswers } from '../answers';

describe('regular expressions', () => {
  testAnswers([
    ["'one two' =~ `\\btwo$` and 'one' !~ two", true],
    ["'ABC' =~ regex(b, ignoreCase => true)", true],
    ["regex('^b', multiLine => true).matches('a\\nb')", true],
    ["regex('a.b', dotAll => true).matches('a\\nb') and not regex('a.b').matches('a\\nb')", true],
    ["'ab12'.matches(`\\d{2}`)", true],
    ["regex(`(\\w)(\\d)?`).search('é', [$.value, $2.value, $3.value, $3.start, $3.end])", ['é', 'é', null, -1, -1]],
    ["regex(`\\d+`).search('😀12', [$.start, $.end])", [1, 3]],
    ["regex('b').search(abc, {at => $.start})", { at: 1 }],
    ["regex('z').search(abc, 1)", null],
    ["regex(`(?P<year>\\d{4})-(?P<month>\\d\\d)`).search('on 2021-05', [$year.value, $month.start])", ['2021', 8]],
    ["regex(`(\\w)=(\\w)`).searchAll('a=1 b=2', $2.value + $3.value)", ['a1', 'b2']],
    ["regex('').searchAll(ab)", ['', '', '']],
    ["regex('x*').replace(axb, '-')", '-a--b-'],
    ["regex('(,)|;').split('a,b;c')", ['a', ',', 'b', null, 'c']],
    ["'a1b2c3'.split(regex(`\\d`), 2)", ['a', 'b', 'c3']],
    ["'ab'.replace(regex('(a)(b)'), `\\2\\1\\g<2>\\n`)", 'bab\n'],
    ["'ab'.replace(regex('(?P<x>a)'), `[\\g<x>]`)", '[a]b'],
    ["regex('(a)|b').replace(ab, `<\\1>`)", '<a><>'],
    ["'a'.replace(regex(a), `\\1`)", fails('error: invalid group reference 1')],
    ["'a'.replace(regex(a), `\\g<x>`)", fails("IndexError: unknown group name 'x'")],
    ["'a'.replace(regex(a), `\\q`)", fails('error: bad escape \\q')],
    ["'a1b2'.replaceBy(regex(`\\d`), str(int($.value) + 1), 1)", 'a2b2'],
    ["regex('b').replaceBy(abc, null)", 'ac'],
    ["regex('b').replaceBy(abc, 7)", fails('TypeError: sequence item 1: expected str instance, int found')],
    ["escapeRegex('a+b (c) #1')", 'a\\+b\\ \\(c\\)\\ \\#1'],
    ["isRegex(regex(a)) and not isRegex('a')", true],
    ["regex('[')", fails('error: unterminated character set at position 0')],
    ["null =~ a", fails('NoMatchingFunctionException: No function "#operator_=~" matches supplied arguments')],
  ]); // oxfmt-ignore
});
