import {
  backoffMs,
  deferred,
  earliestId,
  isId,
  isPlainObject,
  keyedQueue,
  newId,
  randomHex,
  timeOfId,
} from '@switchyard/base';

describe('ids', () => {
  it('are unique and have the form of an ObjectId', () => {
    const ids = Array.from({ length: 5000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id) && isId(id))).toBe(true);
  });

  it('sort after the earliest one of their second, and before that of the next', () => {
    const timeMs = Date.now();
    const id = newId();
    expect(earliestId(timeMs) <= id).toBe(true);
    expect(id < earliestId(Date.now() + 1000)).toBe(true);
    expect(earliestId(-1)).toBe('00000000');
    expect(timeOfId(id)).toBeGreaterThan(timeMs - 1000);
    expect(timeOfId(id)).toBeLessThanOrEqual(Date.now());
  });

  it.each(['', 'xyz', '0123456789abcdef0123456', '0123456789abcdef012345678', 'g123456789abcdef01234567'])(
    'do not include %p, according to isId',
    (text) => expect(isId(text)).toBe(false),
  );

  it.each([1, 2, 7, 32])('have the requested number of digits: randomHex(%d)', (digits) =>
    expect(randomHex(digits)).toMatch(new RegExp(`^[0-9a-f]{${digits}}$`)),
  );
});

describe('backoffMs', () => {
  const backoff = { initialMs: 100, factor: 2, maxMs: 1000 };

  it.each([
    [1, 100],
    [2, 200],
    [4, 800],
    [5, 1000],
    [500, 1000],
  ])('waits before retry %d for %d ms, or up to a quarter less', (attempt, full) => {
    expect(backoffMs(backoff, attempt, () => 0)).toBe(full);
    expect(backoffMs(backoff, attempt, () => 1)).toBe(full * 0.75);
  });
});

it('deferred returns a promise with functions that settle it', async () => {
  const good = deferred<number>();
  good.resolve(1);
  const bad = deferred();
  bad.reject(new Error('no'));
  await expect(good.promise).resolves.toBe(1);
  await expect(bad.promise).rejects.toThrow('no');
});

it.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [new Date(), false],
  ['{}', false],
])('isPlainObject(%p) is %p', (value, plain) => expect(isPlainObject(value)).toBe(plain));

it('keyedQueue runs the work of one key in order, also after a failure, and that of other keys at once', async () => {
  const inTurn = keyedQueue();
  const begun: string[] = [];
  const first = deferred();
  const failing = inTurn('a', async () => {
    begun.push('a1');
    await first.promise;
    throw new Error('a1 failed');
  });
  const second = inTurn('a', async () => begun.push('a2'));
  await inTurn('b', async () => begun.push('b1'));
  expect(begun).toEqual(['a1', 'b1']);
  first.resolve();
  await expect(failing).rejects.toThrow('a1 failed');
  await second;
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});
