import { newId } from '@switchyard/base';
import type {
  ActionAliasRecord,
  ActionRecord,
  ConfigRecord,
  ConfigSchemaRecord,
  PackRecord,
  PolicyRecord,
  RuleRecord,
  RunnerTypeRecord,
  SensorTypeRecord,
  TriggerRecord,
  TriggerTypeRecord,
} from '@switchyard/model';
import type { ActionRepository, ResourceRepository, Store } from '@switchyard/storage';

/** An in-memory store with what the registrar uses. It counts writes. */
export interface MemoryStore extends Pick<
  Store,
  | 'actions'
  | 'actionAliases'
  | 'configSchemas'
  | 'configs'
  | 'packs'
  | 'runnerTypes'
  | 'triggerTypes'
  | 'triggers'
  | 'rules'
  | 'policies'
  | 'sensorTypes'
> {
  writes: number;
}

export function memoryStore(): MemoryStore & Store {
  const store = { writes: 0 } as MemoryStore;
  const counted = () => (store.writes += 1);
  Object.assign(store, {
    actions: actions(repository<ActionRecord>('ref', counted)),
    actionAliases: repository<ActionAliasRecord>('ref', counted),
    configSchemas: { ...repository<ConfigSchemaRecord>('pack', counted), removeOf: async () => false },
    configs: { ...repository<ConfigRecord>('pack', counted), removeOf: async () => false },
    packs: repository<PackRecord>('ref', counted),
    triggerTypes: repository<TriggerTypeRecord>('ref', counted),
    triggers: repository<TriggerRecord>('ref', counted),
    rules: repository<RuleRecord>('ref', counted),
    policies: repository<PolicyRecord>('ref', counted),
    sensorTypes: repository<SensorTypeRecord>('ref', counted),
    runnerTypes: repository<RunnerTypeRecord>('name', counted),
  });
  return store as MemoryStore & Store;
}

const actions = (records: ResourceRepository<ActionRecord>): ActionRepository => ({
  ...records,
  requested: records.byKey,
  origins: (pack) => records.list({ filter: { pack } }),
  insertAll: async (some) => {
    for (const record of some) await records.insert(record);
  },
});

function repository<T extends { _id: string }>(key: keyof T & string, counted: () => void): ResourceRepository<T> {
  const records = new Map<string, T>();
  const all = () => [...records.values()].map((record) => clone(record));
  const byKey = async (value: string) => all().find((record) => record[key] === value);
  const matching = (filter: Record<string, unknown>) =>
    all().filter((record) => Object.entries(filter).every(([field, value]) => record[field as keyof T] === value));
  const put = (record: T): T => {
    counted();
    records.set(record._id, clone(record));
    return record;
  };
  return {
    get: async (id) => records.get(id),
    byKey,
    find: async (keyOrId) => (await byKey(keyOrId)) ?? records.get(keyOrId),
    list: async ({ filter = {} } = {}) => matching(filter),
    async *each({ filter = {} } = {}) {
      yield* matching(filter);
    },
    count: async (filter = {}) => matching(filter).length,
    insert: async (record) => put(record),
    replace: async (record) => records.has(record._id) && put(record) === record,
    upsert: async (record) => put({ ...record, _id: newId() } as T),
    remove: async (id) => records.delete(id),
  };
}

/** Copies into the test's own realm, unlike `structuredClone`. */
const clone = <T>(record: T): T => JSON.parse(JSON.stringify(record)) as T;
