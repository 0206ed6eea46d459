import { mongo } from 'mongoose';
import type { RecordSource } from '../planner/matching';
import { badValue, refuseOtherOptions, unsupported } from '../errors';
import { parseQuery } from '../query/parse-filter';
import { parseSort } from '../query/sort';
import { parseReplacement, parseUpdate } from '../update/parse-update';
import type { Document } from '../values/document';
import { toStoredDocument } from '../values/to-stored';
import { removeMatching, updateMatching } from './write-operations';

/** One parsed operation of a bulk write; it adds its results to the counts. */
type Operation = (source: RecordSource, counts: Counts, index: number) => void;

export interface Counts {
  insertedCount: number;
  matchedCount: number;
  modifiedCount: number;
  deletedCount: number;
  upsertedIds: Record<number, unknown>;
  insertedIds: Record<number, unknown>;
}

export interface BulkOutcome {
  readonly counts: Counts;
  readonly errors: readonly { readonly index: number; readonly error: mongo.MongoServerError }[];
}

export const newCounts = (): Counts => ({
  insertedCount: 0,
  matchedCount: 0,
  modifiedCount: 0,
  deletedCount: 0,
  upsertedIds: {},
  insertedIds: {},
});

/**
 * Parses the operations of a bulk write. Inserted documents get their `_id` here, also in the caller's object.
 * @param once do not keep inserted documents in the cache
 */
export function parseOperations(models: readonly Document[], once = false): readonly Operation[] {
  if (models.length === 0) throw new mongo.MongoInvalidArgumentError('Invalid BulkOperation, Batch cannot be empty');
  const keep = !once && models.length <= KEPT_INSERTS;
  return models.map((model) => {
    const [name] = Object.keys(model);
    const parse = parsers[name ?? ''];
    if (!parse) throw unsupported(`the bulk operation "${name ?? ''}"`);
    return parse(model[name as string] as Document, keep);
  });
}

/** Runs operations in order; an ordered bulk stops at the first error. Runs inside a job of the write queue. */
export function runBulk(source: RecordSource, operations: readonly Operation[], ordered: boolean): BulkOutcome {
  const counts = newCounts();
  const errors: { index: number; error: mongo.MongoServerError }[] = [];
  for (const [index, operation] of operations.entries()) {
    try {
      operation(source, counts, index);
    } catch (error) {
      if (!(error instanceof mongo.MongoServerError)) throw error;
      errors.push({ index, error });
      if (ordered) break;
    }
  }
  return { counts, errors };
}

const updateOptions = new Set([
  'filter',
  'update',
  'upsert',
  'arrayFilters',
  'timestamps',
  'strict',
  'sort',
  'multi',
  'setDefaultsOnInsert',
  'overwriteDiscriminatorKey',
]);

/** A larger batch of new documents must not displace the content of the cache. */
const KEPT_INSERTS = 16;

const parsers: Readonly<Record<string, (model: Document, keep: boolean) => Operation>> = {
  insertOne: (model, keep) => insertOperation(model['document'] as Document, keep),
  updateOne: (model) => updateOperation(model, false),
  updateMany: (model) => updateOperation(model, true),
  replaceOne: (model) => {
    refuseOtherOptions('replaceOne', model, new Set(['filter', 'replacement', 'upsert', 'timestamps', 'strict']));
    return changeOperation(model, parseReplacement(model['replacement']), false);
  },
  deleteOne: (model) => deleteOperation(model, false),
  deleteMany: (model) => deleteOperation(model, true),
};

/** Gives a caller's document its `_id`, as every driver does. */
export function withId(document: Document): Document {
  if (typeof document !== 'object' || document === null) throw badValue('a document must be an object');
  if (document['_id'] === undefined) document['_id'] = new mongo.ObjectId();
  return document;
}

function insertOperation(document: Document, keep: boolean): Operation {
  const stored = toStoredDocument(withId(document));
  return ({ store }, counts, index) => {
    store.insert(stored, keep);
    counts.insertedCount += 1;
    counts.insertedIds[index] = stored['_id'];
  };
}

function updateOperation(model: Document, many: boolean): Operation {
  refuseOtherOptions(many ? 'updateMany' : 'updateOne', model, updateOptions);
  return changeOperation(model, parseUpdate(model['update'], model['arrayFilters']), many);
}

function changeOperation(model: Document, update: ReturnType<typeof parseUpdate>, many: boolean): Operation {
  const filter = parseQuery(model['filter']);
  const request = { filter, update, upsert: Boolean(model['upsert']), many, sort: parseSort(model['sort']) };
  return (source, counts, index) => {
    const { matched, modified, inserted } = updateMatching(source, request);
    counts.matchedCount += matched;
    counts.modifiedCount += modified;
    if (inserted) counts.upsertedIds[index] = inserted['_id'];
  };
}

function deleteOperation(model: Document, many: boolean): Operation {
  refuseOtherOptions(many ? 'deleteMany' : 'deleteOne', model, new Set(['filter']));
  const filter = parseQuery(model['filter']);
  return (source, counts) => {
    counts.deletedCount += removeMatching(source, filter, many).length;
  };
}
