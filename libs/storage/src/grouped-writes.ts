import type { Model, mongo } from 'mongoose';
import { groupCommit, type GroupedOutcome } from './group-commit';
import { bulkFailure, isUnreachable } from './is-unreachable';

/** A change of one record whose effect can be recognized in the record afterwards. */
export interface RecognizableChange<T> {
  readonly _id: string;
  readonly filter: Record<string, unknown>;
  readonly operators: Record<string, unknown>;
  /** @returns the record as this change has left it, or undefined if the change did not happen */
  recognize(record: T): T | undefined;
}

/** Single writes to one collection, as the server performs them. */
export interface SingleWrites<T> {
  insert(record: T): Promise<T>;
  change(change: RecognizableChange<T>): Promise<T | undefined>;
  /** Reads records by their ids. */
  read(ids: readonly string[]): Promise<T[]>;
}

/** Inserting several records is one call. */
const FEWEST_INSERTS = 2;
/** Changing several records takes a second call, which reads them to find out which changes happened. */
const FEWEST_CHANGES = 3;

/**
 * Writes of one collection that share calls, see `groupCommit`. A bulk write reports how many of its changes happened,
 * but not which. So the records are read afterwards, and each change has to recognize its effect. The driver repeats a
 * bulk write whose response was lost, as it does with single writes.
 */
export function groupedWrites<T extends { _id: string }>(
  collection: Model<T>['collection'],
  single: SingleWrites<T>,
): Pick<SingleWrites<T>, 'insert' | 'change'> {
  return {
    insert: groupCommit<T, T>({
      write: single.insert,
      fewest: FEWEST_INSERTS,
      async writeTogether(records) {
        const failed = await failedAmong(records.length, () =>
          collection.insertMany(records as never, { ordered: false }),
        );
        return records.map((record, index) => (failed.has(index) ? 'alone' : { value: record }));
      },
    }),
    change: groupCommit<RecognizableChange<T>, T | undefined>({
      write: single.change,
      fewest: FEWEST_CHANGES,
      async writeTogether(changes) {
        const operations = changes.map(({ _id, filter, operators }) => ({
          updateOne: { filter: { _id, ...filter }, update: operators },
        }));
        const failed = await failedAmong(changes.length, () =>
          collection.bulkWrite(operations as never, { ordered: false }),
        );
        if (failed.size === changes.length) return changes.map(() => 'alone');
        const records = new Map((await single.read(changes.map(({ _id }) => _id))).map((each) => [each._id, each]));
        return changes.map((change, index): GroupedOutcome<T | undefined> => {
          const record = records.get(change._id);
          return failed.has(index) ? 'alone' : { value: record && change.recognize(record) };
        });
      },
    }),
  };
}

/**
 * @returns the positions of the writes that failed: some of them, or all if the server rejected the call
 * @throws the driver's error if the server could not be reached, so that the outcome is unknown
 */
async function failedAmong(count: number, write: () => Promise<unknown>): Promise<ReadonlySet<number>> {
  try {
    await write();
    return new Set();
  } catch (error) {
    if (isUnreachable(error)) throw bulkFailure(error) ?? error;
    const { writeErrors = [], result } = error as Partial<mongo.MongoBulkWriteError>;
    const areOthersSafe = result !== undefined && result.getWriteConcernError() === undefined;
    const isPartial = [writeErrors].flat().length > 0 && areOthersSafe;
    return new Set(isPartial ? [writeErrors].flat().map(({ index }) => index) : Array(count).keys());
  }
}
