import { isLargeJson, jsonBytes, jsonPieces } from '../src';

const long = (text: string, length = 200_000): string => text.repeat(Math.ceil(length / text.length));
const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);

const deep = (levels: number): unknown => {
  let value: unknown = long('x');
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
};

describe('jsonPieces returns the text of JSON.stringify', () => {
  it.each<[string, unknown]>([
    ['a short value', { a: [1, 'b', null] }],
    ['a long text', long('a"\\\n')],
    ['surrogate pairs', `x${long('😀')}`],
    ['halves of surrogate pairs', `${long('\ud83d')}${long('\ude00')}`],
    ['many numbers', many(100_000, 1.5)],
    ['many members', Object.fromEntries(many(30_000, 0).map((_, index) => [`key ${index}`, index]))],
    [
      'values that JSON leaves out',
      { text: long('x'), none: undefined, call: () => 1, list: [undefined, Symbol('s')] },
    ],
    ['numbers that JSON does not have', [long('x'), Number.NaN, Number.POSITIVE_INFINITY, -0]],
    ['values that convert themselves', { text: long('x'), at: new Date(0), own: { toJSON: () => long('y') } }],
    ['an instance of a class', [long('x'), new Map([[1, 2]]), new (class { a = long('z') })()]], // oxfmt-ignore
    ['empty containers', { text: long('x'), list: [], object: {} }],
    ['special keys', { text: long('x'), ['__proto__']: 1, '"': 2 }],
    ['a deep value', deep(100)],
    ['a very deep value', deep(1000)],
  ])('%s', async (_, value) => {
    const text = (await jsonPieces(value)).join('');
    expect(text === JSON.stringify(value)).toBe(true);
    expect((await jsonBytes(value)).equals(Buffer.from(text))).toBe(true);
  });

  it('throws the same errors as JSON.stringify', async () => {
    const circular: Record<string, unknown> = { text: long('x') };
    circular['own'] = circular;
    await expect(jsonPieces(circular)).rejects.toThrow(/circular/);
    await expect(jsonPieces([long('x'), 1n])).rejects.toThrow(/BigInt/);
  });
});

it('yields to other work while it writes a large value', async () => {
  let turns = 0;
  const count = () => void (turns++, (next = setImmediate(count)));
  let next = setImmediate(count);
  await jsonBytes(many(40, long('x', 1_000_000)));
  clearImmediate(next);
  expect(turns).toBeGreaterThan(1);
});

it.each([
  ['a text', 'x'.repeat(200_000), true],
  ['a short text', 'x'.repeat(100_000), false],
  ['a list', many(100_000, 10), true],
  ['a short list', many(1000, 10), false],
])('%s is large or not', (_, value, expected) => {
  expect(isLargeJson(value)).toBe(expected);
});
