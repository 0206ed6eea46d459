import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadConfig } from '@switchyard/config';
import { connectMongo, type Connection } from '@switchyard/storage';
import { readFileSync } from 'node:fs';
import type { LocalSystem } from './target';

type Raw = Record<string, unknown>;

const BATCH = 1000;
const MS_MICROS = 1000;

/**
 * Fills the store with copies of a finished execution up to this number, each a millisecond older than the previous
 * one. @param ageMs how much older the first copy is than the execution. The documents are copied as the system stored them, so this works for every version. An embedded store must not
 * be in use.
 */
export async function fillExecutions(local: LocalSystem, count: number, ageMs = 0): Promise<void> {
  const connection = await openStoreOf(local);
  try {
    const executions = connection.collection('executions');
    const example = (await executions.findOne({ action_ref: 'core.noop', status: 'succeeded' })) as Raw | null;
    if (example === null) throw new Error('There is no finished core.noop in the store to copy.');
    const present = await executions.countDocuments({});
    for (let made = present; made < count; made += BATCH) {
      const size = Math.min(BATCH, count - made);
      await executions.insertMany(Array.from({ length: size }, (_, index) => copyOf(example, ageMs + made + index)));
    }
  } finally {
    await connection.close();
  }
}

/** A connection to the store of a system. Its own driver opens an embedded store, whose format belongs to the version. */
export async function openStoreOf({ store, checkout }: LocalSystem): Promise<Connection> {
  if (store.driver === 'mongodb') {
    const { database } = loadConfig({ environment: {} }).config;
    return connectMongo({ ...database, host: store.url, db_name: store.database });
  }
  const directory = join(checkout, 'libs/storage');
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { exports?: Raw };
  const entry = join(directory, 'dist', exports === undefined ? 'index.js' : 'embedded/index.js');
  const { openEmbedded } = createRequire(entry)(entry) as { openEmbedded: OpenEmbedded };
  return openEmbedded({ directory: store.directory });
}

type OpenEmbedded = (options: { readonly directory: string }) => Promise<Connection>;

/** Times are microseconds. */
function copyOf(example: Raw, ageMs: number): Raw {
  const { request_key: _, ...rest } = example;
  const age = ageMs * MS_MICROS;
  return { ...rest, ...idsOf(), ...olderTimes(example, age) };
}

const idsOf = () => ({ _id: newObjectId(), liveaction_id: newObjectId() });

const newObjectId = (): string => randomBytes(12).toString('hex');

function olderTimes(example: Raw, age: number): Raw {
  const times = Object.entries(example).filter(
    ([name, value]) => /timestamp$|_at$/.test(name) && typeof value === 'number',
  );
  return Object.fromEntries(times.map(([name, value]) => [name, (value as number) - age]));
}
