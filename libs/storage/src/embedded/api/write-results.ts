import { mongo } from 'mongoose';
import { nativeDriver } from '../native-driver';
import type { Document } from '../values/document';
import type { BulkOutcome } from './bulk-write';
import type { WriteOutcome } from './write-operations';

/** The result of `updateOne`, `updateMany` and `replaceOne`. */
export const updateResult = ({ matched, modified, inserted }: WriteOutcome): Document => ({
  acknowledged: true,
  modifiedCount: modified,
  upsertedId: inserted ? inserted['_id'] : null,
  upsertedCount: inserted ? 1 : 0,
  matchedCount: matched,
});

/** The result of `findOneAndX` with `includeResultMetadata`. */
export const metadataResult = (value: Document | null, { matched, inserted }: WriteOutcome): Document => ({
  lastErrorObject: {
    n: inserted ? 1 : matched,
    updatedExisting: matched > 0,
    ...(inserted ? { upserted: inserted['_id'] } : {}),
  },
  value,
  ok: 1,
});

const idList = (ids: Readonly<Record<number, unknown>>) =>
  Object.entries(ids).map(([index, _id]) => ({ index: Number(index), _id }));

/**
 * The result of a bulk write.
 * @throws MongoBulkWriteError when an operation was rejected; it names the operation and the results of the others
 */
export function bulkResult({ counts, errors }: BulkOutcome, ordered = true): unknown {
  const writeErrors = errors.map(({ index, error }) => {
    const described = { index, code: Number(error.code), errmsg: error.message };
    return { ...described, err: described };
  });
  const upserted = idList(counts.upsertedIds);
  const raw = {
    ok: 1,
    writeErrors,
    writeConcernErrors: [],
    insertedIds: idList(counts.insertedIds),
    nInserted: counts.insertedCount,
    nUpserted: upserted.length,
    nMatched: counts.matchedCount,
    nModified: counts.modifiedCount,
    nRemoved: counts.deletedCount,
    upserted,
  };
  const result = new nativeDriver.BulkWriteResult(raw, ordered);
  const [first] = errors;
  if (!first) return result;
  const { message, code } = first.error;
  const { keyPattern, keyValue } = first.error as { keyPattern?: unknown; keyValue?: unknown };
  const described = { message, code, writeErrors, keyPattern, keyValue };
  throw new mongo.MongoBulkWriteError(described as never, result as never);
}
