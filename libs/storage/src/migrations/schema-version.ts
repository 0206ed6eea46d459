import { fault } from '@switchyard/base';
import type { Collection } from '../collection';
import type { MetaRecord } from '../layouts/operation-layouts';
import { FIRST_SCHEMA, SCHEMA_VERSION } from './migrations';

/** The record of an import that has not ended. */
export const UNFINISHED_IMPORT = 'import';

const SCHEMA = 'schema';

type Meta = Collection<MetaRecord>;

/**
 * Checks that this program can use the store. A new store gets the schema version of this program.
 * @throws Fault `storage.newer-schema` if older programs, such as this one, can no longer use the store,
 * `storage.unfinished-import` if an import has not ended
 */
export async function admitProgram(meta: Meta): Promise<void> {
  const stored = await meta.get(SCHEMA);
  if (await meta.get(UNFINISHED_IMPORT)) throw fault('storage.unfinished-import', {});
  if (!stored) return setSchema(meta, SCHEMA_VERSION);
  const version = versionOf(stored);
  if (stored.unreadable !== undefined) await setSchema(meta, version);
}

/**
 * The schema version of a store: programs with an older one can no longer use it.
 * @throws Fault `storage.newer-schema`
 */
export async function schemaOf(meta: Meta): Promise<number> {
  const stored = await meta.get(SCHEMA);
  return stored ? versionOf(stored) : SCHEMA_VERSION;
}

export const setSchema = (meta: Meta, value: number): Promise<void> => meta.put({ _id: SCHEMA, value });

function versionOf({ value, unreadable }: MetaRecord): number {
  // Every migration may run again, so the first version is a safe replacement for an unreadable one.
  if (unreadable !== undefined) return FIRST_SCHEMA;
  // An invalid version was written by an unknown program.
  if (!Number.isInteger(value) || Number(value) > SCHEMA_VERSION)
    throw fault('storage.newer-schema', { found: JSON.stringify(value), known: SCHEMA_VERSION });
  return Number(value);
}
