import type { Model, Schema } from 'mongoose';

/** Server error codes for an index with the same name or fields but other options. */
const CONFLICTS: readonly unknown[] = [85, 86];
const NO_SUCH_COLLECTION = 26;
const NO_SUCH_INDEX = 27;

type Indexed = Pick<Model<unknown>, 'collection'> & { schema: unknown };

interface WantedIndex {
  readonly key: Record<string, 1 | -1>;
  readonly options: Record<string, unknown>;
}

/**
 * Builds the indexes that a schema declares. An index with another definition, from an earlier version of the program, is
 * rebuilt; undeclared indexes, such as an operator's own, stay. Several processes may do this concurrently.
 */
export async function ensureIndexes({ collection, schema }: Indexed): Promise<void> {
  const wanted = (schema as Schema).indexes().map(([key, options]): WantedIndex => {
    const { background: _background, ...known } = options as Record<string, unknown>;
    return { key: key as WantedIndex['key'], options: known };
  });
  if (wanted.length === 0) return;
  try {
    await collection.createIndexes(wanted.map(({ key, options }) => ({ key, ...options })));
  } catch (error) {
    if (!CONFLICTS.includes(codeOf(error))) throw error;
    for (const index of wanted) await rebuild(collection, index);
  }
}

/** Creates an index, in place of one with the same name or fields but another definition. */
async function rebuild(collection: Indexed['collection'], { key, options }: WantedIndex): Promise<void> {
  try {
    await collection.createIndex(key, options);
  } catch (error) {
    if (!CONFLICTS.includes(codeOf(error))) throw error;
    await collection.dropIndex(indexName(key)).catch(unlessGone);
    await collection.createIndex(key, options);
  }
}

/** The declared indexes that a collection lacks; none if the collection does not exist yet. */
export async function missingIndexes(model: Indexed): Promise<string[]> {
  const there = await model.collection.indexes().catch((error: unknown) => {
    if (codeOf(error) === NO_SUCH_COLLECTION) return undefined;
    throw error;
  });
  if (!there) return [];
  const names = new Set(there.map(({ key }) => indexName(key as Record<string, unknown>)));
  return (model.schema as Schema)
    .indexes()
    .map(([fields]) => indexName(fields))
    .filter((name) => !names.has(name));
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Another process may have been faster. */
function unlessGone(error: unknown): void {
  if (codeOf(error) !== NO_SUCH_INDEX) throw error;
}

/** The default name that servers give to an index. */
const indexName = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([field, direction]) => `${field}_${String(direction)}`)
    .join('_');
