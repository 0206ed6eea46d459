import { guardedRegExp } from '../../src';

const found = (pattern: string, text: string): string | undefined => guardedRegExp(pattern).exec(text)?.[0];

describe('guardedRegExp', () => {
  it.each<[pattern: string, text: string, found: string | undefined]>([
    ['\\d{2,}', 'a123', '123'],
    ['\\w+', 'é日_٣-', 'é日_٣'],
    ['(?P<x>a+)-(?P=x)', 'aa-aa', 'aa-aa'],
    ['(a)(b)\\2', 'abb', 'abb'],
    ['foo$', 'foo\n', 'foo'],
    ['foo\\Z', 'foo\n', undefined],
    ['(?i)abc', 'xABC', 'ABC'],
    ['(?m)^b$', 'a\nb', 'b'],
    ['a.b', 'a\nb', undefined],
    ['(?s)a.b', 'a\nb', 'a\nb'],
    ['a.b', 'a\rb', 'a\rb'],
    ['(?x) a \\ b  # blank', 'a b', 'a b'],
    ['a{,2}b', 'aaab', 'aab'],
    ['x{y}', 'x{y}', 'x{y}'],
    ['[]a]+', 'a]', 'a]'],
    ['[^]a]', ']ab', 'b'],
    ['[\\w.-]+@[\\w-]+', 'a.b@c-d', 'a.b@c-d'],
    ['[&&~~]+', '&~', '&~'],
    ['\\bfoo\\b', 'a foo b', 'foo'],
    ['\\bé\\b', 'né', undefined],
    ['(?<=a)b', 'ab', 'b'],
    ['(?#comment)a', 'a', 'a'],
    ['\\x41\\u00e9\\U0001F600', 'Aé😀', 'Aé😀'],
    ['.', '😀', '😀'],
    ['\\-\\_\\/', '-_/', '-_/'],
    ['\\101[\\102\\60]', 'A0', 'A0'],
    ['a\\s', 'a\ufeff', undefined],
    ['(?a)\\w+', 'xé', 'x'],
    ['(?i:A)bc', 'abc', 'abc'],
    ['(?i:A)bc', 'aBC', undefined],
    ['(?i)a(?-i:b)', 'AB', undefined],
    ['(?i:[b-dé]+)x', 'BDÉx', 'BDÉx'],
    ['(?i:[^k])', 'kK\u212a', undefined],
    ['(?s:a.)b.', 'a\nb\n', undefined],
    ['(?x: a )b c', 'ab c', 'ab c'],
    ['(?>a+)ab', 'aaab', undefined],
    ['(?>(a)|b)+(c)\\1', 'bbaca', 'bbaca'],
    ['"[^"]*+"', '"a"', '"a"'],
    ['a++a', 'aaa', undefined],
    ['a?+a', 'a', undefined],
    ['a{1,2}+a', 'aa', undefined],
    ['^(<)?a(?(1)>)$', '<a>', '<a>'],
    ['^(<)?a(?(1)>)$', '<a', undefined],
    ['^(?P<q>")?a(?(q)"|;)$', 'a;', 'a;'],
    ['(a)?\\1b', 'b', undefined],
    ['(a)?\\1b', 'aab', 'aab'],
    ['(?:(a)|b)\\1?', 'ba', 'b'],
    ['(|a)?', 'a', ''],
  ])('supports Python syntax: %j on %j', (pattern, text, expected) => {
    expect(found(pattern, text)).toBe(expected);
  });

  it.each([
    '(',
    'a)',
    '[a',
    '[z-a]',
    'a**',
    '(?P<1>a)',
    '(?P<a>x)(?P<a>y)',
    '(?P=b)',
    '\\q',
    '\\2',
    '*a',
    'a+++',
    '(?(1)a)',
    '(a)(?(1)b|c|d)',
    '(a*)?(?(1)b|c)',
    '(?:(a)|b)*(?(1)c|d)',
    '(?<=(?>a))b',
    '(?i:(a)\\1)b',
    '\\N{BULLET}',
    'a\\',
  ])('rejects %j', (pattern) =>
    expect(() => guardedRegExp(pattern)).toThrow(expect.objectContaining({ code: 'regex.invalid', status: 400 })),
  );

  it.each([
    ['(', 'missing ), unterminated subpattern at position 0'],
    ['a(b', 'missing ), unterminated subpattern at position 1'],
    ['a)', 'unbalanced parenthesis at position 1'],
    ['x[a', 'unterminated character set at position 1'],
    ['[\\', 'bad escape (end of pattern) at position 1'],
    ['a[q-\\w]', 'bad character range q-\\w at position 2'],
    ['a**', 'multiple repeat at position 2'],
    ['a{3,1}', 'min repeat greater than max repeat at position 2'],
    ['a|*', 'nothing to repeat at position 2'],
    ['(?P<1>a)', "bad character in group name '1' at position 4"],
    ['(?P<>a)', 'missing group name at position 4'],
    ['(?P=b)', "unknown group name 'b' at position 4"],
    ['(?Pz)', 'unknown extension ?Pz at position 1'],
    ['(?', 'unexpected end of pattern at position 2'],
    ['(?#', 'missing ), unterminated comment at position 0'],
    ['ab\\q', 'bad escape \\q at position 2'],
    ['(a)\\3', 'invalid group reference 3 at position 4'],
    ['(a\\1)', 'cannot refer to an open group at position 2'],
    ['\\501', 'octal escape value \\501 outside of range 0-0o377 at position 0'],
    ['a(?i)b', 'global flags not at the start of the expression at position 1'],
    ['(a)(?(1)b|c|d)', 'conditional backref with more than two branches at position 11'],
    ['\\u12', 'incomplete escape \\u12 at position 0'],
    ['a\\U00200000', 'bad escape \\U00200000 at position 1'],
    ['(?i)a**', 'multiple repeat at position 6'],
    ['😀(', 'missing ), unterminated subpattern at position 1'],
    ['a\n\nb[', 'unterminated character set at position 4 (line 3, column 2)'],
  ])("reports Python's error for %j", (pattern, reason) => {
    expect(() => guardedRegExp(pattern)).toThrow(expect.objectContaining({ cause: new Error(reason) }));
  });

  it('returns the positions of groups if requested', () => {
    const places = (flags: string) => guardedRegExp('(?P<first>b)(c)?', flags).exec('abc')?.indices;
    expect([...(places('d') ?? [])]).toEqual([
      [1, 3],
      [1, 2],
      [2, 3],
    ]);
    expect(places('d')?.groups).toEqual({ first: [1, 2] });
    expect(places('di')?.groups).toEqual({ first: [1, 2] });
    expect(places('')).toBeUndefined();
  });

  it('returns only the groups of the pattern', () => {
    const match = guardedRegExp('(?>(a)+)(?P<last>b)', 'd').exec('xaab');
    expect([[...(match ?? [])], [...(match?.indices ?? [])], match?.groups?.last]).toEqual([
      ['aab', 'a', 'b'],
      [
        [1, 4],
        [2, 3],
        [3, 4],
      ],
      'b',
    ]);
  });

  it('searches, matches at the start, or matches the whole text', () => {
    const regexp = guardedRegExp('b+|ab');
    const all = (text: string): boolean[] => [
      regexp.test(text),
      regexp.match(text) !== null,
      regexp.fullMatch(text) !== null,
    ];
    expect([all('xab'), all('abx'), all('ab'), all('x')]).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
      [false, false, false],
    ]);
  });

  it('continues from an index, and returns positions and groups', () => {
    const match = guardedRegExp('(?P<digit>\\d)').exec('1 2', 1);
    expect([match?.index, match?.groups?.digit]).toEqual([2, '2']);
  });

  it('accepts flags', () => expect(guardedRegExp('^B$', 'im').test('a\nb\nc')).toBe(true));

  it.each([
    ['^(a+)+$', `${'a'.repeat(60)}!`],
    ['(a|a)*b', 'a'.repeat(80)],
    ['(.*)*x', 'y'.repeat(80)],
    ['a*a*a*a*a*b', 'a'.repeat(5000)],
    ['(x?){30}x{30}$', `${'x'.repeat(29)}!`],
    ['(a+)\\1+\\1+\\1+b', 'a'.repeat(5000)],
  ])('stops %j, which would run forever', (pattern, text) => {
    let outcome: unknown;
    try {
      outcome = guardedRegExp(pattern).test(text);
    } catch (thrown) {
      outcome = (thrown as { code: string }).code;
    }
    expect([false, 'regex.too-slow']).toContain(outcome);
  });

  it('gives an expression that timed out less time afterwards', () => {
    const slow = (): string => {
      try {
        return String(guardedRegExp('^(b+)+$').test(`${'b'.repeat(60)}!`));
      } catch (thrown) {
        return (thrown as Error).message;
      }
    };
    expect([slow(), slow()]).toEqual([expect.stringContaining('50 ms'), expect.stringContaining('25 ms')]);
  });
});
