import { fault } from '@switchyard/base';
import type { Collection } from '../collection';

export interface MetaRecord {
  _id: string;
  value: unknown;
  /** Why the record cannot be read. */
  unreadable?: string;
}

/** A step from one schema version to the next. Running it again after an interruption must be safe. */
interface Migration {
  readonly to: number;
  readonly describe: string;
  run(): Promise<void>;
}

/** The record of an import that has not ended. */
export const UNFINISHED_IMPORT = 'import';

const FIRST_VERSION = 1;
const migrations: readonly Migration[] = [];

/** The schema version that this program writes. */
export const SCHEMA_VERSION = migrations.at(-1)?.to ?? FIRST_VERSION;

/**
 * Migrates the store to this program's schema version; records each step after it is done.
 * @throws Fault `storage.newer-schema` if a newer program has written the store, `storage.unfinished-import` if an import has
 * not ended
 */
export async function migrate(meta: Collection<MetaRecord>): Promise<void> {
  const stored = await meta.get('schema');
  if (await meta.get(UNFINISHED_IMPORT)) throw fault('storage.unfinished-import', {});
  if (!stored) return meta.put({ _id: 'schema', value: SCHEMA_VERSION });
  // An unreadable version does not keep a process from starting, because every step may run again.
  const found = stored.unreadable === undefined ? stored.value : FIRST_VERSION;
  // An invalid version was written by an unknown program.
  if (!isVersion(found) || found > SCHEMA_VERSION)
    throw fault('storage.newer-schema', { found: JSON.stringify(found), known: SCHEMA_VERSION });
  for (const migration of migrations.filter(({ to }) => to > found)) {
    await migration.run();
    await meta.put({ _id: 'schema', value: migration.to });
  }
  if (stored.unreadable !== undefined) await meta.put({ _id: 'schema', value: SCHEMA_VERSION });
}

const isVersion = (value: unknown): value is number => Number.isInteger(value);
