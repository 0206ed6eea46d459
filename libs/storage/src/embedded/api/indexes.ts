import type { Database } from '../engine/database';
import { serverError, ServerErrorCode } from '../errors';
import { describeIndex, parseIndexSpec, type IndexRecord } from '../indexes/index-definition';
import { equalValues } from '../values/compare';
import type { Document } from '../values/document';

const NAMESPACE_NOT_FOUND = 26;

/** Creates those indexes that do not exist yet: all of them, or none if one cannot be created. @returns their names */
export function createIndexes(
  database: Database,
  collection: string,
  specs: readonly { readonly spec: unknown; readonly options: Document }[],
): Promise<string[]> {
  const wanted = specs.map(({ spec, options }) => parseIndexSpec(spec, options, 0));
  const secondary = wanted.filter((record) => !isPrimary(record));
  const names = wanted.map((record) => (isPrimary(record) ? '_id_' : record.name));
  if (secondary.length === 0) return Promise.resolve(names);
  return database.write(() => {
    const store = database.collection(collection);
    store.ensure();
    const existing = store.indexes.slice(1).map(({ record }) => record);
    const missing: IndexRecord[] = [];
    for (const record of secondary) {
      const others = [...existing, ...missing];
      if (others.some((other) => isSame(other, record))) continue;
      refuseConflict(others, record);
      missing.push({ ...record, space: store.newSpace() });
    }
    if (missing.length > 0) store.addIndexes(missing);
    return names;
  });
}

const isPrimary = ({ key }: IndexRecord): boolean => Object.keys(key).join() === '_id' && key['_id'] === 1;

const isSame = (a: IndexRecord, b: IndexRecord): boolean => equalValues(describeIndex(a), describeIndex(b));

/** As on a server, name and definition must both match an existing index, or both differ from it. */
function refuseConflict(existing: readonly IndexRecord[], wanted: IndexRecord): void {
  const named = existing.find(({ name }) => name === wanted.name);
  const alike = existing.find((record) => equalValues(meaningOf(record), meaningOf(wanted)));
  const requested = `Requested index: ${JSON.stringify(describeIndex(wanted))}`;
  if (named && named !== alike) {
    throw serverError(
      ServerErrorCode.indexKeySpecsConflict,
      `An existing index has the same name as the requested index. ${requested}, existing index: ${JSON.stringify(describeIndex(named))}`,
      { codeName: 'IndexKeySpecsConflict' },
    );
  }
  if (alike) {
    const message = named
      ? `An equivalent index already exists with the same name but different options. ${requested}`
      : `Index already exists with a different name: ${alike.name}`;
    throw serverError(ServerErrorCode.indexOptionsConflict, message, { codeName: 'IndexOptionsConflict' });
  }
}

/** The attributes that identify an index; the name and the time to live are not among them. */
const meaningOf = ({ key, unique, sparse, partialFilterExpression }: IndexRecord): Document => ({
  key: { ...key },
  unique: unique ?? false,
  sparse: sparse ?? false,
  partialFilterExpression: partialFilterExpression ?? null,
});

export function listIndexes(database: Database, collection: string): Document[] {
  const store = database.collection(collection);
  if (!store.exists) {
    throw serverError(NAMESPACE_NOT_FOUND, `ns does not exist: ${store.namespace}`, { codeName: 'NamespaceNotFound' });
  }
  return store.indexes.map(({ record, primary }) =>
    primary ? { v: 2, key: { _id: 1 }, name: '_id_' } : describeIndex(record),
  );
}

/** @param index a name, or the key of one; `*` for all */
export function dropIndex(database: Database, collection: string, index: unknown): Promise<Document> {
  return database.write(() => {
    const store = database.collection(collection);
    const records = store.indexes.slice(1).map(({ record }) => record);
    const doomed = index === '*' ? records : records.filter((record) => isNamed(record, index));
    if (index === '_id_') throw serverError(ServerErrorCode.invalidOptions, 'cannot drop _id index');
    if (doomed.length === 0 && index !== '*') {
      throw serverError(ServerErrorCode.indexNotFound, `index not found with name [${String(index)}]`, {
        codeName: 'IndexNotFound',
      });
    }
    if (doomed.length > 0) store.keepIndexes((record) => !doomed.includes(record));
    return { nIndexesWas: records.length + 1, ok: 1 };
  });
}

const isNamed = (record: IndexRecord, index: unknown): boolean =>
  typeof index === 'string' ? record.name === index : equalValues({ ...record.key }, index);
