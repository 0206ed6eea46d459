import { messageOf, type Fault } from '@switchyard/base';
import type { Sealer } from '../sealing/sealer';
import { mapped, type ResourceRepository } from './resources';

/** Records with parameters for an action, which may be secrets as they are. */
export interface WithParameters {
  _id: string;
  /** Why they could not be opened: there are none then. It is never stored. */
  problem?: string;
}

/** Where a record has its parameters. */
export interface ParameterPlace<T> {
  of(record: Omit<T, '_id'>): unknown;
  /** @returns the record with others in their place */
  put<R extends Omit<T, '_id'>>(record: R, parameters: unknown): R;
  /** What to say of a record whose parameters cannot be opened. */
  lost(record: T, text: string): Fault;
}

export interface ParameterSealing<T> {
  seal<R extends Omit<T, '_id'>>(record: R): R;
  open(record: T): T;
  /** A record as it is to be stored when its parameters stay the ones that are stored. */
  keep(record: T, stored: T | undefined): T;
}

/**
 * Encrypts the parameters of records as a whole, so that nobody has to know which of them are secret. In the store an envelope, a
 * text, stands in their place; an object there was written before parameters were sealed, or is empty.
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
 * Records whose parameters are sealed on the way into the store and opened on the way out. Those that cannot be opened have a
 * `problem` and no parameters: whoever acts on parameters has to look. One that is replaced with its `problem` keeps what is sealed.
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

/** Of a record that was read in part, there may be none. */
const isEmpty = (parameters: unknown): boolean =>
  typeof parameters !== 'object' || parameters === null || Object.keys(parameters).length === 0;

/** The error of a parser quotes what it reads, which may be a secret. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the stored text is not JSON');
  }
}
