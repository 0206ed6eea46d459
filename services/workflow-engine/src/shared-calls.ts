import { together, type Id } from '@switchyard/base';
import type { ExecutionRecord, OutputRecord, WorkflowRecord } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import type { Engine } from './run';

/** Store calls that every message needs. Calls of the same moment are combined. */
export interface SharedCalls {
  get(id: Id): Promise<ExecutionRecord | undefined>;
  run(workflow: Id): Promise<WorkflowRecord | undefined>;
  /** Removes the engine from `due` of an execution that has ended. */
  settle(id: Id): Promise<void>;
}

/** Hundreds of messages that got their records in the same turn would make it a long one. */
const HANDED_OUT_AT_ONCE = 20;
/** An embedded store writes them in one turn. */
const SETTLED_AT_ONCE = 50;

type SharedCallsDeps = Pick<Engine, 'executions' | 'store' | 'slice'>;

export const createSharedCalls = ({ executions: { records }, store, slice }: SharedCallsDeps): SharedCalls => ({
  get: together(async (ids: readonly Id[]) => {
    if (ids.length === 1) return [await records.get(ids[0]!)];
    const found = byId(await records.list({ filter: { _id: isOneOf(new Set(ids)) } }));
    let turn = Promise.resolve();
    return ids.map((id, index) => {
      if (index > 0 && index % HANDED_OUT_AT_ONCE === 0) turn = turn.then(() => slice.pause());
      return turn.then(() => found.get(id));
    });
  }),
  run: together(async (workflows: readonly Id[]) => {
    if (workflows.length === 1) return [await store.workflows.get(workflows[0]!)];
    const found = byId(await store.workflows.getAll([...new Set(workflows)]));
    return workflows.map((id) => found.get(id));
  }),
  settle: together(async (ids: readonly Id[]) => {
    const all = [...new Set(ids)];
    for (let at = 0; at < all.length; at += SETTLED_AT_ONCE)
      await records.settle(all.slice(at, at + SETTLED_AT_ONCE), 'workflow-engine');
    return ids.map(() => undefined);
  }),
});

/** Writes of many runs. Those of the same moment are combined. */
export const createSharedWrites = ({
  workflows,
  output,
}: Pick<Engine['store'], 'workflows' | 'output'>): Pick<Engine, 'close' | 'output'> => ({
  close: together(async (ids: readonly Id[]) => {
    await workflows.close(ids);
    return ids.map(() => undefined);
  }),
  output: {
    append: together(async (all: readonly (readonly OutputRecord[])[]) => {
      await output.append(all.flat());
      return all.map(() => undefined);
    }),
  },
});

const byId = <T extends { readonly _id: Id }>(records: readonly T[]): ReadonlyMap<Id, T> =>
  new Map(records.map((record) => [record._id, record]));
