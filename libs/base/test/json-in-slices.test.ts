import { defaultDataLimits, parseLargeJson } from '@switchyard/base';

const limits = { ...defaultDataLimits, maxMembers: 2_000_000 };
const long = Array.from({ length: 40 }, (_, index) => 'word '.repeat(index * 40));

/** Values of random shapes with some large parts. The same seed gives the same values. */
function randomText(seed: number): { text: () => string; below: (limit: number) => number } {
  let state = seed;
  const below = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
  const texts = ['', 'a', '"', '\\', '__proto__', '[{,:', 'x'.repeat(900), '1', 'ä'];
  const value = (depth: number): unknown => {
    const kind = below(depth > 4 ? 3 : 8);
    if (kind === 0) return below(1000);
    if (kind <= 2) return texts[below(texts.length)];
    if (kind <= 5) return Array.from({ length: below(5) }, () => value(depth + 1));
    return JSON.parse(`{"${['__proto__', 'k', '1'][below(3)]}":${JSON.stringify(value(depth + 1))}}`) as unknown;
  };
  const text = () => JSON.stringify([value(0), long, { a: long, [texts[4]!]: [long, long], b: value(0) }, value(0)]);
  return { text, below };
}

/** The length of the pieces of a long string. */
const PIECE = 64 * 1024;
const MUTATIONS = '[]{},:"\\ 1tn'.split('');

describe('parseLargeJson', () => {
  it('accepts and rejects the same as JSON.parse in texts with random damage', async () => {
    const { text, below } = randomText(17);
    const seen = { parsed: 0, refused: 0 };
    for (let round = 0; round < 60; round++) {
      let sent = text();
      for (let damage = below(3); damage > 0; damage--) {
        const at = below(2) === 0 ? below(sent.length) : sent.length - below(50) - 1;
        sent = sent.slice(0, at) + (below(2) === 0 ? MUTATIONS[below(MUTATIONS.length)]! : '') + sent.slice(at + 1);
      }
      expect(sent.length).toBeGreaterThan(130_000);
      const [expected, actual] = await Promise.all([
        attempt(() => Promise.resolve(JSON.parse(sent) as unknown)),
        attempt(() => parseLargeJson(sent, limits)),
      ]);
      expect(actual).toBe(expected);
      seen[expected === 'SyntaxError' ? 'refused' : 'parsed']++;
    }
    expect(seen.parsed).toBeGreaterThan(10);
    expect(seen.refused).toBeGreaterThan(10);
  });

  it.each([
    ['in the middle of a list', (large: string) => `[1,${large},2]`],
    ['between two commas', (large: string) => `[${large},,${large}]`],
    ['before the end', (large: string) => `[${large},]`],
    ['without a comma', (large: string) => `[${large} ${large}]`],
    ['after another value without a comma', (large: string) => `[1 ${large}]`],
    ['with the wrong bracket', (large: string) => `[${large}}`],
    ['with text after it', (large: string) => `${large} x`],
    ['as a member', (large: string) => `{"a":${large} , "b" : ${large}}`],
    ['as a member without a key', (large: string) => `{${large}}`],
    ['as a member with two keys', (large: string) => `{"a":"b":${large}}`],
    ['between blanks', (large: string) => ` \n[ ${' '.repeat(200_000)} ${large}\t]\r\n`],
    ['that is a string', () => `"${'x'.repeat(200_000)}"`],
    ['that is blank', () => `[${' '.repeat(200_000)}]`],
    ['of blanks that JSON does not allow', () => `[${'\u00a0'.repeat(200_000)}]`],
  ])('accepts or rejects a large value like JSON.parse: %s', async (_, made) => {
    const sent = made(JSON.stringify(long));
    const expected = await attempt(() => Promise.resolve(JSON.parse(sent) as unknown));
    expect(await attempt(() => parseLargeJson(sent, limits))).toBe(expected);
  });

  it('reads a long string like JSON.parse, wherever it is cut', async () => {
    const escapes = ['\\"', '\\\\', '\\u00e4', '\\ud83d\\ude00', '\u{1f600}', '\\n', 'ä'];
    for (const escape of escapes)
      for (let before = 0; before < 12; before++) {
        const string = `"${'x'.repeat(before)}${escape.repeat(90_000 / escape.length)}${'y'.repeat(200_000)}"`;
        const sent = `{"a":1, "text" : ${string} ,"list":[${string},2]}`;
        expect(await attempt(() => parseLargeJson(sent, limits))).toBe(JSON.stringify(JSON.parse(sent)));
      }
  });

  it.each(['\\x', '\\u12', '\\u12"', '\n', '\\u12\\'])('rejects %j in a long string', async (wrong) => {
    for (const length of [PIECE - 3, PIECE - 2, PIECE - 1, PIECE, 3 * PIECE])
      for (const sent of [
        `["${'x'.repeat(length)}${wrong}${'y'.repeat(3 * PIECE)}"]`,
        `["${'x'.repeat(4 * PIECE)}${wrong}"]`,
      ])
        expect(await attempt(() => parseLargeJson(sent, limits))).toBe('SyntaxError');
  });

  it.each([
    ['in a long string', `{"a":[1,"${'x'.repeat(300_000)}\\q${'x'.repeat(300_000)}"]}`],
    ['after many members', `[${'"word",'.repeat(90_000)}"\\q",${'"word",'.repeat(90_000)}1]`],
    ['in a key', `{${'"key":1,'.repeat(90_000)}"\\q":"${'x'.repeat(300_000)}"}`],
  ])('states the position of an error in the whole text: %s', async (_, sent) => {
    const at = sent.indexOf('q');
    await expect(parseLargeJson(sent, limits)).rejects.toThrow(new RegExp(`position ${at}$`));
    expect(() => JSON.parse(sent) as unknown).toThrow(new RegExp(`position ${at}\\b`));
  });

  it.each([
    ['many members', () => Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`key${index}`, 1]))],
    ['a long string', () => ({ text: 'ä"'.repeat(5_000_000) })],
  ])('yields to other work: %s', async (_, made) => {
    const sent = JSON.stringify(made());
    let turns = 0;
    let done = false;
    const count = () => {
      turns++;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const value = await parseLargeJson(sent, limits).finally(() => (done = true));
    expect(turns).toBeGreaterThan(5);
    expect(JSON.stringify(value) === sent).toBe(true);
  });

  it.each([
    ['depth', '['.repeat(1_000_000), /max_depth/],
    ['members', `[${'1,'.repeat(300_000)}1]`, /max_members/],
    ['keys', `[${'1,'.repeat(90_000)}{"${'k'.repeat(2000)}":1}]`, /max_key_length/],
    ['NUL', `[${'1,'.repeat(90_000)}{"a\\u0000":1}]`, /NUL/],
  ])('rejects a text that exceeds the limit on %s', async (_, sent, message) => {
    await expect(parseLargeJson(sent, defaultDataLimits)).rejects.toThrow(
      expect.objectContaining({ status: 422, message: expect.stringMatching(message) as string }),
    );
  });
});

async function attempt(parse: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await parse());
  } catch (error) {
    return (error as Error).name;
  }
}
