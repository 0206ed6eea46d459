import type { StoreCollections } from '../collections';
import { ensureIndexes, missingIndexes } from '../ensure-indexes';
import type { Migration } from './migration';
import { fillTaskRoots } from './task-roots';

/** The version of stores that no program has contracted. */
export const FIRST_SCHEMA = 1;

/** All migrations, in order. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'indexes',
    phase: 'expand',
    purpose: 'builds the indexes that queries of this version use',
    missing: missingOfAll,
    run: ensureAllIndexes,
  },
  {
    name: 'task-roots',
    phase: 'migrate',
    purpose: 'records the outermost workflow in tasks that version 0.1.0 has requested',
    batch: fillTaskRoots,
  },
  {
    name: 'only-after-0.1.0',
    phase: 'contract',
    purpose: 'keeps out programs of version 0.1.0, which ignore roles and limited credentials',
    schema: 2,
  },
];

/** The newest schema version that this program supports. */
export const SCHEMA_VERSION = MIGRATIONS.reduce(
  (newest, migration) => (migration.phase === 'contract' ? Math.max(newest, migration.schema) : newest),
  FIRST_SCHEMA,
);

export async function ensureAllIndexes(collections: Partial<StoreCollections>): Promise<void> {
  await Promise.all(Object.values(collections).map(({ model }) => ensureIndexes(model as never)));
}

async function missingOfAll(collections: StoreCollections): Promise<string[]> {
  const missing: string[] = [];
  for (const { model } of Object.values(collections))
    for (const index of await missingIndexes(model as never)) missing.push(`${model.collection.name}.${index}`);
  return missing;
}
