import { isPlainObject } from '@switchyard/base';
import type { Connection } from 'mongoose';

/** One operation on the store. Documents that it writes are not shown: they are large, and told of elsewhere. */
export interface StoreQuery {
  readonly collection: string;
  readonly operation: string;
  /** What it searches for; absent for operations that search for nothing. */
  readonly filter?: unknown;
}

/** Calls back at the begin of each operation on a connection, of both drivers. */
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
