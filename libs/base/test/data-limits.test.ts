import {
  JsonScan,
  defaultDataLimits,
  excessText,
  findExcess,
  parseBoundedJson,
  type DataLimits,
} from '@switchyard/base';

const small: DataLimits = { maxDepth: 4, maxMembers: 10, maxKeyLength: 8, maxStringLength: 16 };

describe('findExcess', () => {
  it.each([
    null,
    true,
    1,
    'sixteen letters.',
    [],
    {},
    [[[[]]]],
    { a: { b: { c: {} } } },
    [1, 2, 3, [4, 5, 6, 7, 8, 9]],
    { '12345678': 'äöüäöüäö' },
    new Date(),
    Buffer.alloc(1000),
  ])('accepts %j', (value) => expect(findExcess(value, small)).toBeUndefined());
});

describe('a value that exceeds a limit', () => {
  it.each([
    ['too deep', [[[[[]]]]], 'maxDepth', '[0][0][0][0]'],
    ['too deep in objects', { a: [{ b: { c: { d: {} } } }] }, 'maxDepth', 'a[0].b.c'],
    ['too many members', { list: Array.from({ length: 10 }) }, 'maxMembers', 'list'],
    ['just enough members in total', [[1, 2, 3], [4, 5, 6], [7]], undefined, undefined],
    [
      'too many members in total',
      [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8],
      ],
      'maxMembers',
      '[2]',
    ],
    ['a key that is too long', { a: { '123456789': 1 } }, 'maxKeyLength', 'a.123456789'],
    ['a key that is too long in bytes', { äöüäö: 1 }, 'maxKeyLength', 'äöüäö'],
    ['a string that is too long', { a: ['', 'seventeen letters'] }, 'maxStringLength', 'a[1]'],
    ['a string that is too long in bytes', ['äöüäöüäöü'], 'maxStringLength', '[0]'],
    ['a value that is itself a string that is too long', 'seventeen letters', 'maxStringLength', ''],
    ['a NUL in a key', { a: { 'b\0c': 1 } }, 'nulInKey', 'a.b\\0c'],
  ])('is found: %s', (_, value, limit, path) => {
    const excess = findExcess(value, small);
    expect([excess?.limit, excess?.path]).toEqual([limit, path]);
  });

  it('is found in a value a million levels deep, in one that contains itself, and in a sparse array', () => {
    const endless: unknown[] = [];
    endless.push(endless);
    let deep: unknown = 1;
    for (let level = 0; level < 1_000_000; level++) deep = { deep };
    expect(findExcess(deep, defaultDataLimits)?.limit).toBe('maxDepth');
    expect(findExcess(endless, defaultDataLimits)?.limit).toBe('maxDepth');
    expect(findExcess(new Array(1e9), defaultDataLimits)?.limit).toBe('maxMembers');
  });

  it('is found in a value that repeats a few parts many times', () => {
    let value: unknown = 'lol';
    for (let level = 0; level < 30; level++) value = [value, value, value];
    expect(findExcess(value, defaultDataLimits)).toMatchObject({ limit: 'maxMembers', allowed: 200_000 });
  });

  it('is described in a sentence with the option', () => {
    expect(excessText({ limit: 'maxDepth', allowed: 100, path: 'a.b' })).toBe(
      'The value at a.b is nested deeper than 100 levels (limits.max_depth)',
    );
    expect(excessText({ limit: 'nulInKey', allowed: 0, path: '' })).toBe('The value has a key with a NUL character');
  });

  it('has a short path, even if its keys are long', () => {
    const value = Array.from({ length: 50 }).reduce<unknown>((inner) => ({ ['k'.repeat(900)]: inner }), [[[[]]]]);
    const excess = findExcess(value, { ...defaultDataLimits, maxDepth: 53 });
    expect(excess?.limit).toBe('maxDepth');
    expect(excess?.path.length).toBeLessThan(250);
  });
});

describe('parseBoundedJson', () => {
  it.each([
    ['{"a":[1,2,{"b":null}],"c":"\\"]["}', { a: [1, 2, { b: null }], c: '"][' }],
    [' "text" ', 'text'],
    ['[ ]', []],
    ['["\\\\"]', ['\\']],
    [`["${'a'.repeat(12)}\\"\\\\"]`, [`${'a'.repeat(12)}"\\`]],
    ['{"a":"\\u0000"}', { a: '\0' }],
    ['12', 12],
  ])('returns the value of %s', (text, value) => expect(parseBoundedJson(text, small)).toEqual(value));

  it.each([
    ['[[[[[1]]]]]', 'data.limit', /^The value at character 4 is nested deeper than 4 levels \(limits\.max_depth\)$/],
    [JSON.stringify(Array.from({ length: 11 }, () => 0)), 'data.limit', /more than 10 members.*limits\.max_members/],
    ['[[],[],[],[],[],[[],[],[],[],[]]]', 'data.limit', /limits\.max_members/],
    ['{"123456789":1}', 'data.limit', /limits\.max_key_length/],
    ['{"äöüäö" : 1}', 'data.limit', /limits\.max_key_length/],
    [`{"a":"${'\\u00e4'.repeat(9)}"}`, 'data.limit', /The value at a has a string of more than 16 bytes/],
    ['{"b":{"a\\u0000":1}}', 'data.key', /^The value at b\.a\\0 has a key with a NUL character$/],
    ['['.repeat(1_000_000), 'data.limit', /limits\.max_depth/],
  ])('rejects %.40s', (text, code, message) => {
    expect(() => parseBoundedJson(text, small)).toThrow(
      expect.objectContaining({ code, status: 422, message: expect.stringMatching(message) as string }),
    );
  });

  it.each(['', '{', '[1,]', '"', '"\\', '{"a"}', 'nope', '[1]]', ']]]]', `"${'a'.repeat(100)}`, '{"a":1 "b":2}'])(
    'throws the SyntaxError of JSON.parse for %j',
    (text) => expect(() => parseBoundedJson(text, defaultDataLimits)).toThrow(SyntaxError),
  );

  it('agrees with findExcess on any text that JSON.stringify writes', () => {
    const random = randomValues(7);
    for (let round = 0; round < 3000; round++) {
      const value = random();
      const text = JSON.stringify(value, undefined, round % 3);
      const limits = { ...small, maxKeyLength: 6 };
      const excess = findExcess(value, limits);
      if (excess) expect(() => parseBoundedJson(text, limits)).toThrow(expect.objectContaining({ status: 422 }));
      else expect(parseBoundedJson(text, limits)).toEqual(value);
      expect(parseBoundedJson(text, defaultDataLimits)).toEqual(JSON.parse(text));
    }
  });

  it('returns the same value when the text is scanned in small pieces', () => {
    const random = randomValues(11);
    for (let round = 0; round < 500; round++) {
      const text = JSON.stringify(random());
      const scan = new JsonScan(text, defaultDataLimits);
      for (let to = 0; !scan.isThrough; to += 3) scan.advance(to);
      expect(scan.parse()).toEqual(JSON.parse(text));
    }
  });
});

/** Values of random shapes. The same seed gives the same values. */
function randomValues(seed: number): () => unknown {
  let state = seed;
  const below = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
  const texts = ['', 'a', '"', '\\', 'a\\"b', '\n', 'ä', '€'.repeat(6), '[{,:', 'x'.repeat(40), '\0', '😀'];
  const value = (depth: number): unknown => {
    const kind = below(depth > 5 ? 4 : 7);
    if (kind === 0) return below(1000);
    if (kind === 1) return [null, true, false, -1.5e-7][below(4)];
    if (kind <= 3) return texts[below(texts.length)];
    if (kind <= 5) return Array.from({ length: below(4) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: below(4) }, () => [texts[below(10)], value(depth + 1)]));
  };
  return () => value(0);
}
