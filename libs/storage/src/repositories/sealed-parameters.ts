import { messageOf, type Fault } from '@switchyard/base';
import type { Sealer } from '../sealing/sealer';
import { mapped, type ResourceRepository } from './resources';

/** Records with action parameters, which may contain secrets. */
export interface WithParameters {
  _id: string;
  /** Why the parameters could not be opened; they are missing then. Never stored. */
  problem?: string;
}

/** The location of a record's parameters. */
export interface ParameterPlace<T> {
  of(record: Omit<T, '_id'>): unknown;
  /** @returns the record with other parameters */
  put<R extends Omit<T, '_id'>>(record: R, parameters: unknown): R;
  /** The problem of a record whose parameters cannot be opened. */
  lost(record: T, text: string): Fault;
}

export interface ParameterSealing<T> {
  seal<R extends Omit<T, '_id'>>(record: R): R;
  open(record: T): T;
  /** The stored form of a record that keeps its stored parameters. */
  keep(record: T, stored: T | undefined): T;
}

/**
 * Encrypts the parameters of records as a whole, so that it does not matter which of them are secret. The store
 * contains an envelope, which is a text. An object in its place is empty, or older than the encryption of parameters.
 */
export function parameterSealing<T extends WithParameters>(
  sealer: Sealer,
  place: ParameterPlace<T>,
): ParameterSealing<T> {
  return {
    seal(record) {
      const stored = withoutProblem(record);
      const parameters = place.of(stored);
      return isEmpty(parameters) ? stored : place.put(stored, sealer.seal(JSON.stringify(parameters)));
    },
    open(record) {
      const stored = place.of(record);
      if (typeof stored !== 'string') return record;
      try {
        return place.put(record, parsed(sealer.open(stored)));
      } catch (error) {
        return { ...place.put(record, {}), problem: place.lost(record, messageOf(error)).message };
      }
    },
    keep: (record, stored) => (stored ? place.put(withoutProblem(record), place.of(stored)) : withoutProblem(record)),
  };
}

/**
 * Seals the parameters of records on the way into the store and opens them on the way out. Records that cannot be opened have a
 * `problem` and no parameters, which callers must check. Replacing such a record together with its `problem` keeps the sealed
 * value.
 */
export function withSealedParameters<T extends WithParameters>(
  records: ResourceRepository<T>,
  { seal, open, keep }: ParameterSealing<T>,
): ResourceRepository<T> {
  const ifThere = (record: T | undefined) => record && open(record);
  return {
    get: async (id) => ifThere(await records.get(id)),
    byKey: async (key) => ifThere(await records.byKey(key)),
    find: async (keyOrId) => ifThere(await records.find(keyOrId)),
    list: async (page) => (await records.list(page)).map(open),
    each: (page) => mapped(records.each(page), open),
    count: records.count,
    insert: async (record) => open(await records.insert(seal(record))),
    replace: async (record) =>
      records.replace(record.problem === undefined ? seal(record) : keep(record, await records.get(record._id))),
    upsert: async (record) => open(await records.upsert(seal(record))),
    remove: records.remove,
  };
}

function withoutProblem<R extends object>(record: R): R {
  const { problem: _, ...rest } = record as R & { problem?: string };
  return rest as unknown as R;
}

/** Partially read records may lack them. */
const isEmpty = (parameters: unknown): boolean =>
  typeof parameters !== 'object' || parameters === null || Object.keys(parameters).length === 0;

/** A parser error quotes its input, which may be a secret. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the stored text is not JSON');
  }
}
