import { deferred } from '@switchyard/base';
import type { DatastoreKey } from '@switchyard/expressions';
import { sharedLookup } from '../src/rule-book';

const keyOf = (name: string, decrypt = false): DatastoreKey => ({ scope: 'system', name, decrypt });

/** A datastore that responds when the test tells it to. */
function slowStore() {
  const asked: { readonly key: DatastoreKey; readonly answer: (value: string | undefined) => void }[] = [];
  const lookup = sharedLookup((key) => {
    const { promise, resolve } = deferred<string | undefined>();
    asked.push({ key, answer: resolve });
    return promise;
  });
  return { asked, lookup };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a shared lookup', () => {
  it('reads once for all callers before the read begins, and again for later callers', async () => {
    const { asked, lookup } = slowStore();
    const early = [lookup(keyOf('a')), lookup(keyOf('a'))];
    await turn();
    const late = [lookup(keyOf('a')), lookup(keyOf('a'))];
    await turn();
    expect(asked).toHaveLength(1);
    asked[0]?.answer('old');
    expect(await Promise.all(early)).toEqual(['old', 'old']);
    await turn();
    expect(asked).toHaveLength(2);
    asked[1]?.answer('new');
    expect(await Promise.all(late)).toEqual(['new', 'new']);
  });

  it('keeps items apart, and does not share decrypted reads', async () => {
    const { asked, lookup } = slowStore();
    const reads = [keyOf('a'), keyOf('b'), keyOf('a', true), keyOf('a', true)].map(lookup);
    await turn();
    expect(asked).toHaveLength(4);
    for (const { key, answer } of asked) answer(`${key.name} ${key.decrypt}`);
    expect((await Promise.all(reads)).sort()).toEqual(['a false', 'a true', 'a true', 'b false']);
  });
});
