import type { Store } from '@switchyard/storage';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createRecordSecrets } from '../src/execution-record';
import { createResultStore } from '../src/result';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const LONGEST_PIECE = 200_000;
const text = (number: number) => `${number} žluťoučký 🐎 `.repeat(40_000);

/** The blobs of the store, with a count of those that are written at a time and the longest piece of a text. */
function watchedBlobs({ blobs }: Pick<Store, 'blobs'>) {
  const seen = { written: 0, atOnce: 0, mostAtOnce: 0, longest: 0 };
  const put: typeof blobs.put = async (pieces, ...more) => {
    seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.atOnce);
    for (const piece of [pieces].flat()) seen.longest = Math.max(seen.longest, piece.length);
    try {
      return await blobs.put(pieces, ...more);
    } finally {
      seen.atOnce -= 1;
      seen.written += 1;
    }
  };
  return { seen, blobs: { ...blobs, put } };
}

describe('large results', () => {
  it('that arrive together are stored one after the other, in pieces, so that they need little memory', async () => {
    const { store, sealer } = platform;
    const { seen, blobs } = watchedBlobs(store);
    const results = createResultStore({ ...store, blobs }, createRecordSecrets(store.definitions, sealer));
    const numbers = Array.from({ length: 6 }, (_, number) => number);
    const stored = await Promise.all(
      numbers.map((number) => results.store({ definition: 'none' }, { stdout: text(number) })),
    );
    expect(seen).toMatchObject({ written: 6, mostAtOnce: 1 });
    expect(seen.longest).toBeLessThan(LONGEST_PIECE);
    for (const [number, { set }] of stored.entries()) {
      expect(await results.text(set as never)).toBe(JSON.stringify({ stdout: text(number) }));
      expect(set.result_size).toBe(Buffer.byteLength(JSON.stringify({ stdout: text(number) })));
    }
  });

  it('do not wait for one that could not be stored', async () => {
    const { store, sealer } = platform;
    let calls = 0;
    const put: Store['blobs']['put'] = (...given) =>
      calls++ === 0 ? Promise.reject(new Error('unreachable')) : store.blobs.put(...given);
    const blobs = { ...store.blobs, put };
    const results = createResultStore({ ...store, blobs }, createRecordSecrets(store.definitions, sealer));
    const stored = await Promise.allSettled(
      [1, 2].map((number) => results.store({ definition: 'none' }, { stdout: text(number) })),
    );
    // Either may have its turn first.
    expect(stored.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
