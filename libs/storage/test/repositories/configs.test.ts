import { newId } from '@switchyard/base';
import type { ConfigRecord } from '@switchyard/model';
import { leakCheck, writeChecks } from '@switchyard/testkit/platform';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { createSealer, newKeyRing, openStore, type KeyRing, type Store } from '../../src';
import { openEmbedded } from '../../src/embedded';
import { Collection } from '../../src/collection';
import type { SealedConfig } from '../../src/repositories/configs';
import { configLayout } from '../../src/layouts/content-layouts';

const later = leakCheck();
const ring = newKeyRing();
let connection: Connection;
let store: Store;

beforeEach(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-configs-'));
  later(() => rmSync(directory, { recursive: true }));
  connection = await openEmbedded({ directory });
  later(() => connection.close());
  store = await withKeys(ring);
});

/** The records as stored. */
const raw = () => new Collection<SealedConfig>(connection, 'configs', configLayout);
/** The same store for a process with other keys. */
const withKeys = (keys: KeyRing): Promise<Store> =>
  openStore(connection, createSealer(keys), { checkWrite: writeChecks() });

const values = { token: 'open sesame', deep: [{ a: null, b: 1.5 }] };

describe('configurations', () => {
  it('are sealed in the store, and read back complete', async () => {
    const record = await store.configs.insert({ _id: newId(), pack: 'tests', values });
    const { configs } = store;
    expect(record.values).toEqual(values);
    expect([await configs.get(record._id), await configs.byKey('tests'), await configs.find('tests')]).toEqual([
      record,
      record,
      record,
    ]);
    expect(await configs.list({ filter: { pack: 'tests' } })).toEqual([record]);
    expect(await raw().list()).toEqual([{ _id: record._id, pack: 'tests', sealed: expect.any(String) }]);
  });

  it('stay sealed when replaced', async () => {
    const { _id } = await store.configs.upsert({ pack: 'tests', values: { a: 1 } });
    expect(await store.configs.replace({ _id, pack: 'tests', values })).toBe(true);
    expect(await store.configs.upsert({ pack: 'tests', values })).toEqual({ _id, pack: 'tests', values });
    expect(JSON.stringify(await raw().list())).not.toContain('sesame');
  });

  it('stored as plain text are readable, and sealed by the next change', async () => {
    const old = { _id: newId(), pack: 'tests', values };
    await raw().insert(old);
    expect(await store.configs.byKey('tests')).toEqual(old);
    await store.configs.replace(old);
    expect(await raw().list()).toEqual([{ _id: old._id, pack: 'tests', sealed: expect.any(String) }]);
  });

  it('are opened with the key that sealed them, even if it is not the current one', async () => {
    await store.configs.upsert({ pack: 'tests', values });
    const next = newKeyRing();
    const rotated = await withKeys({ current: next.current, keys: { ...ring.keys, ...next.keys } });
    expect((await rotated.configs.byKey('tests'))?.values).toEqual(values);
  });

  it('with a missing key can be replaced and removed, but not read', async () => {
    const { _id } = await store.configs.upsert({ pack: 'tests', values });
    const { configs } = await withKeys(newKeyRing());
    await expect(configs.byKey('tests')).rejects.toMatchObject({
      code: 'storage.config',
      message: expect.stringMatching(
        /"tests" cannot be decrypted: .*the key "\w+", which is not in the key file/,
      ) as string,
    });
    expect(await configs.upsert({ pack: 'tests', values: { a: 1 } })).toEqual({ _id, pack: 'tests', values: { a: 1 } });
    expect(await configs.removeOf('tests')).toBe(true);
  });

  it('with a missing key are named in lists, next to the readable ones', async () => {
    const { _id } = await store.configs.upsert({ pack: 'lost', values });
    const { configs } = await withKeys(newKeyRing());
    const other = await configs.upsert({ pack: 'other', values });
    const problem = expect.stringMatching(
      /^The configuration of the pack "lost" cannot be decrypted: .* the key file\./,
    ) as string;
    const found = await configs.list({ sort: { pack: 1 } });
    expect(found).toEqual([{ _id, pack: 'lost', values: {}, problem }, other]);
    await configs.replace({ ...(found[0] as ConfigRecord), values: { a: 1 } });
    expect(await configs.byKey('lost')).toEqual({ _id, pack: 'lost', values: { a: 1 } });
  });

  it('that are not JSON are not quoted in the error', async () => {
    await raw().insert({ _id: newId(), pack: 'tests', sealed: createSealer(ring).seal('open sesame') });
    const [found] = await store.configs.list();
    expect(found).toMatchObject({
      values: {},
      problem: expect.stringContaining('the stored text is not JSON') as string,
    });
  });
});
