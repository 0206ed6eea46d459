import { isPlainObject } from '@switchyard/base';
import type { Connection } from 'mongoose';

/** One operation on the store. Omits written documents: they are large, and logged elsewhere. */
export interface StoreQuery {
  readonly collection: string;
  readonly operation: string;
  /** The filter; absent for operations without one. */
  readonly filter?: unknown;
}

/** Calls back at the start of each operation on a connection, for both drivers. */
export function watchQueries(connection: Connection, onQuery: (query: StoreQuery) => void): void {
  connection.set('debug', (collection: string, operation: string, ...values: unknown[]) => {
    const filter = FILTERING.get(operation)?.(values);
    onQuery({ collection, operation, ...(filter === undefined ? {} : { filter }) });
  });
}

type FindFilter = (values: readonly unknown[]) => unknown;

const at =
  (place: number): FindFilter =>
  (values) =>
    isPlainObject(values[place]) ? values[place] : undefined;

const FILTERING: ReadonlyMap<string, FindFilter> = new Map([
  ...['find', 'findOne', 'countDocuments'].map((name) => [name, at(0)] as const),
  ...['findOneAndUpdate', 'findOneAndDelete', 'findOneAndReplace'].map((name) => [name, at(0)] as const),
  ...['updateOne', 'updateMany', 'deleteOne', 'deleteMany', 'replaceOne'].map((name) => [name, at(0)] as const),
  ['distinct', at(1)],
  ['aggregate', ([pipeline]) => pipeline],
]);
