import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, systemClock } from '@switchyard/base';
import { createSealer, newKeyRing, openStore, type Store } from '@switchyard/storage';
import { embeddedStats, openEmbedded } from '@switchyard/storage/embedded';
import type { Connection } from 'mongoose';
import { createDatastore, createValueCipher, type Datastore, type ItemQuery } from '../src';

const ITEMS = 500;

let directory: string;
let connection: Connection;
let store: Store;
let datastore: Datastore;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'svc-items-'));
  connection = await openEmbedded({ directory });
  store = await openStore(connection, createSealer(newKeyRing()));
  const logger = { audit: () => undefined, warn: () => undefined, error: () => undefined };
  const access = { isAdmin: () => true, authorise: () => undefined };
  const cipher = createValueCipher({ enabled: false, path: join(directory, 'key.json'), mayCreate: false });
  datastore = createDatastore({ store, cipher, clock: systemClock(), logger, access, systemUser: 'root' });
  for (let n = 0; n < ITEMS; n++)
    for (const [scope, name] of [
      ['st2kv.system', `item${n}`],
      ['st2kv.user', `${n % 2 === 0 ? 'ada' : 'bob'}:item${n}`],
    ] as const)
      await store.keyValues.put({ _id: newId(), uid: `key_value_pair:${scope}:${name}`, scope, name, value: 'v', secret: false }); // oxfmt-ignore
});

afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

async function documentsRead(work: () => Promise<unknown>): Promise<number> {
  const before = embeddedStats(connection).documentsExamined;
  await work();
  return embeddedStats(connection).documentsExamined - before;
}

async function namesIn(query: ItemQuery): Promise<string[]> {
  const names: string[] = [];
  for await (const item of datastore.each(query)) names.push('name' in item ? item.name : item.id);
  return names;
}

const administrator = { user: 'ada', withDamaged: true };

it.each<[string, ItemQuery, number]>([
  ['of the system', { scope: 'system', ...administrator, limit: 10 }, 10],
  ['of the system, with an offset', { scope: 'system', ...administrator, limit: 10, offset: 20 }, 30],
  ['of the system and own ones', { scope: 'all', ...administrator, limit: 10 }, 12],
])('reads little more than a page of items %s, for administrators', async (_, query, most) => {
  expect(await documentsRead(() => namesIn(query))).toBeLessThanOrEqual(most);
  expect(await namesIn(query)).toHaveLength(10);
});

it('counts the items of the system without reading them', async () => {
  const query = { scope: 'system', ...administrator } as const;
  expect(await documentsRead(() => datastore.count(query))).toBeLessThanOrEqual(1);
  expect(await datastore.count(query)).toBe(ITEMS);
});

it('neither lists nor counts items that have expired and are still stored', async () => {
  const item = { _id: newId(), uid: 'u', scope: 'st2kv.system', name: 'old', value: 'v', secret: false } as const;
  await store.keyValues.put({ ...item, expire_timestamp: new Date(Date.now() - 1) });
  const query = { scope: 'system', ...administrator } as const;
  expect(await datastore.count(query)).toBe(ITEMS);
  expect(await namesIn(query)).not.toContain('old');
});
