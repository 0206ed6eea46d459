import { fault } from '@switchyard/base';
import type { Collection } from '../collection';

export interface MetaRecord {
  _id: string;
  value: unknown;
  /** Why it cannot be read. */
  unreadable?: string;
}

/** A step from one schema version to the next. It must be safe to run again after it was cut off half way. */
interface Migration {
  readonly to: number;
  readonly describe: string;
  run(): Promise<void>;
}

const FIRST_VERSION = 1;
const migrations: readonly Migration[] = [];

/** The schema version that this program writes. */
export const SCHEMA_VERSION = migrations.at(-1)?.to ?? FIRST_VERSION;

/**
 * Brings the store to this program's schema version, step by step; each step is recorded once it is done.
 * @throws Fault `storage.newer-schema` when a newer program has been here
 */
export async function migrate(meta: Collection<MetaRecord>): Promise<void> {
  const stored = await meta.get('schema');
  if (!stored) return meta.put({ _id: 'schema', value: SCHEMA_VERSION });
  // One that cannot be read keeps no process from starting: every step may be taken once more.
  const found = stored.unreadable === undefined ? stored.value : FIRST_VERSION;
  // What is no version was written by a program that this one knows nothing about.
  if (!isVersion(found) || found > SCHEMA_VERSION)
    throw fault('storage.newer-schema', { found: JSON.stringify(found), known: SCHEMA_VERSION });
  for (const migration of migrations.filter(({ to }) => to > found)) {
    await migration.run();
    await meta.put({ _id: 'schema', value: migration.to });
  }
  if (stored.unreadable !== undefined) await meta.put({ _id: 'schema', value: SCHEMA_VERSION });
}

const isVersion = (value: unknown): value is number => Number.isInteger(value);
