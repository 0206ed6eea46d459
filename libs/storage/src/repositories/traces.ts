import type { TraceComponent, TraceComponentKind, TraceRecord } from '@switchyard/model';
import type { Collection, Filter, Page } from '../collection';

export interface TraceRepository {
  insert(record: TraceRecord): Promise<TraceRecord>;
  get(id: string): Promise<TraceRecord | undefined>;
  list(page?: Page): Promise<TraceRecord[]>;
  count(filter?: Filter): Promise<number>;
  /** The trace that holds a component, if any. */
  holding(kind: TraceComponentKind, objectId: string): Promise<TraceRecord | undefined>;
  /** Adds a component unless the trace has it already. */
  add(id: string, kind: TraceComponentKind, component: TraceComponent): Promise<void>;
}

export const traceRepository = (traces: Collection<TraceRecord>): TraceRepository => ({
  insert: (record) => traces.insert(record),
  get: (id) => traces.get(id),
  list: (page) => traces.list(page),
  count: (filter) => traces.count(filter),
  holding: (kind, objectId) => traces.findOne({ [`${kind}.object_id`]: objectId }),
  async add(id, kind, component) {
    await traces.change(
      { _id: id, [`${kind}.object_id`]: { $ne: component.object_id } },
      { push: { [kind]: component } },
    );
  },
});
