import { isDeepStrictEqual } from 'node:util';
import type { Model, mongo } from 'mongoose';
import { groupCommit, type GroupedOutcome } from './group-commit';
import { idFirst } from './id-first';
import { bulkFailure, isUnreachable } from './is-unreachable';

/** A change of one record whose effect can be recognized in the record afterwards. */
export interface RecognizableChange<T> {
  readonly _id: string;
  readonly filter: Record<string, unknown>;
  readonly operators: Record<string, unknown>;
  /** @returns the record as this change has left it, or undefined if the change did not happen */
  recognize(record: T): T | undefined;
  /** If given, the record is not read after the change, unless it had changed before. */
  readonly known?: KnownRecord<T>;
}

/** A record as it was last read. */
export interface KnownRecord<T> {
  /** What the filter of the change lacks to match the record only if it has not changed since. */
  readonly filter: Record<string, unknown>;
  /** The record after the change. */
  after(): T;
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
const FEWEST_CHANGES = 2;
/** Up to this number, different changes take no fewer calls together: another call reads the records. */
const FEW_DIFFERENT = 2;

/**
 * Writes of one collection that share calls, see `groupCommit`. Changes that differ only in their records also share a statement, which
 * costs the server little more than one of them.
 *
 * A bulk write reports how many of its changes happened, but not which. So the records are read afterwards, and each
 * change has to recognize its effect. If the response was lost, the driver repeats single writes, and bulk writes of
 * single changes. Others are completed here: changes that are not found in the records are repeated alone.
 *
 * A change whose record is known is made only if the record has not changed since. If all changes of a group have happened, these records
 * need not be read. Otherwise those that have not happened are repeated alone, unless they require an unchanged record anyway.
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
      async writeTogether(all) {
        const changes = all.map(ifUnchanged);
        const statements = alikeAmong(changes);
        const isShared = statements.length < changes.length;
        const isRead = changes.some(({ known }) => !known);
        if (!isShared && isRead && changes.length <= FEW_DIFFERENT) return changes.map(() => 'alone');
        const { matched, failed } = await perform(collection, statements, isShared);
        const unread = matched === changes.length ? changes.filter(({ known }) => !known) : changes;
        const read = unread.length === 0 ? [] : await single.read(unread.map(({ _id }) => _id));
        const records = new Map(read.map((each) => [each._id, each]));
        return changes.map((change): GroupedOutcome<T | undefined> => {
          const { known, _id } = change;
          if (known && matched === changes.length) return { value: known.after() };
          const record = records.get(_id);
          const value = record && change.recognize(record);
          return value === undefined && (failed.has(change) || mayHaveChanged(known)) ? 'alone' : { value };
        });
      },
    }),
  };
}

/** The change with the condition that its record, if it is known, is as it was. */
const ifUnchanged = <T>(change: RecognizableChange<T>): RecognizableChange<T> =>
  change.known ? { ...change, filter: { ...change.filter, ...change.known.filter } } : change;

/** Whether a change may also be made to the record if it has changed since. */
export const mayHaveChanged = (known: KnownRecord<unknown> | undefined): boolean =>
  known !== undefined && Object.keys(known.filter).length > 0;

/** Changes that differ only in their records. */
type Alike<T> = [RecognizableChange<T>, ...RecognizableChange<T>[]];

/** Of the changes that set the same fields at the same time, this many different ones are compared. Results may be large. */
const MOST_COMPARED = 4;

function alikeAmong<T>(changes: readonly RecognizableChange<T>[]): Alike<T>[] {
  const found = new Map<string, Alike<T>[]>();
  for (const change of changes) {
    const { $set: _, ...small } = change.operators;
    const key = JSON.stringify([change.filter, small]);
    const similar = found.get(key) ?? [];
    const alike = similar.slice(0, MOST_COMPARED).find(([first]) => isAlike(first, change));
    if (alike) alike.push(change);
    else found.set(key, [...similar, [change]]);
  }
  return [...found.values()].flat();
}

const isAlike = <T>(one: RecognizableChange<T>, other: RecognizableChange<T>): boolean =>
  isDeepStrictEqual([one.filter, one.operators], [other.filter, other.operators]);

interface Performed<T> {
  /** How many changes have happened at least. */
  readonly matched: number;
  /** The changes of which it is not known whether they have happened. */
  readonly failed: ReadonlySet<RecognizableChange<T>>;
}

/** Performs one statement for all changes that are alike. */
async function perform<T extends { _id: string }>(
  collection: Model<T>['collection'],
  statements: readonly Alike<T>[],
  isShared: boolean,
): Promise<Performed<T>> {
  const operations = statements.map((alike) => {
    const [{ _id, filter, operators: update }, ...others] = alike;
    return others.length === 0
      ? { updateOne: { filter: idFirst({ _id, ...filter }), update } }
      : { updateMany: { filter: idFirst({ _id: { $in: alike.map((each) => each._id) }, ...filter }), update } };
  });
  let matched = 0;
  try {
    const failed = await failedAmong(statements.length, async () => {
      ({ matchedCount: matched } = await collection.bulkWrite(operations as never, { ordered: false }));
    });
    return { matched, failed: new Set([...failed].flatMap((index) => statements[index] ?? [])) };
  } catch (error) {
    if (!isShared) throw error;
    return { matched: 0, failed: new Set(statements.flat()) };
  }
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
