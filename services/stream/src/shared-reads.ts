import type { Id } from '@switchyard/base';
import { atLogEntry, type Executions } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import { isOneOf, type OutputRepository, type Store } from '@switchyard/storage';

/** The position of an execution in its family, its statuses, and the fields that determine who may see it. */
export type Relative = Pick<
  ExecutionRecord,
  '_id' | 'parent' | 'start_timestamp' | 'has_children' | 'log' | 'action_ref' | 'context'
>;

export type ViewName = 'execution' | 'liveaction';

/** Reads of the streams of single executions. Streams that need the same data at the same time share a read. */
export interface SharedReads {
  record(id: Id): Promise<ExecutionRecord | undefined>;
  relative(id: Id): Promise<Relative | undefined>;
  /** The children of some executions, by start time. */
  children(parents: readonly Id[]): Promise<Relative[]>;
  readonly output: Pick<OutputRepository, 'read'>;
  /** A view of a record as it was when an entry was added to its log. Built once for each record that was read. */
  viewAt(view: ViewName, record: ExecutionRecord, entry: number): Promise<Record<string, unknown>>;
}

const FIELDS = [
  '_id',
  'parent',
  'start_timestamp',
  'has_children',
  'log',
  'action_ref',
  'context',
] as const satisfies readonly (keyof Relative)[];

export function createSharedReads({
  store: { output },
  executions: { records, view },
}: {
  store: Pick<Store, 'output'>;
  executions: Pick<Executions, 'view'> & { records: Pick<Executions['records'], 'get' | 'list'> };
}): SharedReads {
  const recordOf = sharing<ExecutionRecord | undefined>();
  const relativeOf = sharing<Relative | undefined>();
  const childrenOf = sharing<Relative[]>();
  const outputOf = sharing<Awaited<ReturnType<OutputRepository['read']>>>();
  const views = new WeakMap<ExecutionRecord, Map<string, Promise<Record<string, unknown>>>>();
  return {
    record: (id) => recordOf(id, () => records.get(id)),
    relative: (id) =>
      relativeOf(id, async () => (await records.list({ filter: { _id: id }, fields: FIELDS, limit: 1 }))[0]),
    children: (parents) =>
      childrenOf(parents.join(), () =>
        records.list({ filter: { parent: isOneOf(parents) }, sort: { start_timestamp: 1 }, fields: FIELDS }),
      ),
    output: { read: (id, page) => outputOf(`${id} ${JSON.stringify(page)}`, () => output.read(id, page)) },
    viewAt(name, record, entry) {
      const ofRecord = views.get(record) ?? new Map<string, Promise<Record<string, unknown>>>();
      views.set(record, ofRecord);
      const key = `${name} ${entry}`;
      const known = ofRecord.get(key);
      if (known) return known;
      const building = view[name](atLogEntry(record, entry));
      ofRecord.set(key, building);
      building.catch(() => ofRecord.delete(key));
      return building;
    },
  };
}

/**
 * Callers with the same key share a read. A read in progress may miss the change that a later caller needs, so that
 * caller waits for the next read. For each key, at most one read is in progress and one is waiting.
 */
function sharing<V>(): (key: string, read: () => Promise<V>) => Promise<V> {
  const inProgress = new Map<string, Promise<V>>();
  const waiting = new Map<string, Promise<V>>();
  const begin = async (key: string, read: () => Promise<V>): Promise<V> => {
    await (inProgress.get(key)?.catch(() => undefined) ?? new Promise(setImmediate));
    waiting.delete(key);
    const reading = read();
    inProgress.set(key, reading);
    try {
      return await reading;
    } finally {
      if (inProgress.get(key) === reading) inProgress.delete(key);
    }
  };
  return (key, read) => {
    const next = waiting.get(key) ?? begin(key, read);
    waiting.set(key, next);
    return next;
  };
}
