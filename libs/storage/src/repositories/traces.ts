import { isFault } from '@switchyard/base';
import type { TraceComponent, TraceComponentKind, TraceRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { agedRecords, type AgedRecords } from './aged-records';
import type { Filter, RecordPage } from '../filter';

export type TraceComponents = Partial<Record<TraceComponentKind, readonly TraceComponent[]>>;

export interface TraceRepository extends AgedRecords<TraceRecord> {
  /** Stores the trace. @returns false if one with its id exists, which stays unchanged */
  insertOnce(record: TraceRecord): Promise<boolean>;
  get(id: string): Promise<TraceRecord | undefined>;
  list(page?: RecordPage<TraceRecord>): Promise<TraceRecord[]>;
  /** Like `list`, one record at a time. */
  each(page?: RecordPage<TraceRecord>): AsyncIterable<TraceRecord>;
  count(filter?: Filter<TraceRecord>): Promise<number>;
  /** Adds components unless the trace already has them, or too many of their kind. @returns false if the trace does not exist */
  add(id: string, components: TraceComponents): Promise<boolean>;
}

/** Events that cause each other in a cycle make an endless trace; a record must be limited. */
const MOST_COMPONENTS = 5000;

export const traceRepository = (traces: Collection<TraceRecord>): TraceRepository => ({
  ...agedRecords(traces, 'start_timestamp'),
  async insertOnce(record) {
    try {
      await traces.insert(record);
      return true;
    } catch (error) {
      if (isFault(error) && error.code === 'storage.duplicate') return false;
      throw error;
    }
  },
  get: (id) => traces.get(id),
  list: (page) => traces.list(page),
  each: (page) => traces.each(page),
  count: (filter) => traces.count(filter),
  async add(id, components) {
    let found = false;
    for (const [kind, component] of each(components))
      found =
        (await traces.change(lacking(id, kind, component), { push: { [kind]: component } })) !== undefined || found;
    return found || (await traces.findOne({ _id: id }, ['_id'])) !== undefined;
  },
});

const each = (components: TraceComponents): [string, TraceComponent][] =>
  Object.entries(components).flatMap(([kind, list]) =>
    list.map((component): [string, TraceComponent] => [kind, component]),
  );

/** The same rule may occur several times, for different trigger instances. */
const lacking = (
  id: string,
  kind: string,
  { object_id, caused_by: { id: cause } }: TraceComponent,
): Filter<TraceRecord> => ({
  _id: id,
  [kind]: { $not: { $elemMatch: { object_id, ...(cause === undefined ? {} : { 'caused_by.id': cause }) } } },
  [`${kind}.${MOST_COMPONENTS - 1}`]: { $exists: false },
});
