import { SHARED_CALL_WAIT_MS, together, type Id, type Slices } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { ExecutionRecord, OutputRecord, WorkflowRecord } from '@switchyard/model';
import { isOneOf, type StoreWithoutExecutions } from '@switchyard/storage';

/** Store calls that every run needs. Those that are made while one is under way share the next one. */
export interface SharedCalls {
  readonly readExecution: (id: Id) => Promise<ExecutionRecord | undefined>;
  readonly readRun: (workflow: Id) => Promise<WorkflowRecord | undefined>;
  /** Removes the engine from `due` of an execution that has ended. */
  readonly settle: (execution: Id) => Promise<void>;
  /** The same for one that has not changed since. */
  readonly settleAt: (execution: ExecutionRecord) => Promise<void>;
  /** Records that a run has ended. A rerun on another engine has to wait for that. */
  readonly close: (workflow: Id) => Promise<void>;
  /** Writes progress lines. */
  readonly output: Pick<StoreWithoutExecutions['output'], 'append'>;
}

export interface SharedCallsDeps {
  readonly executions: Pick<Executions, 'records'>;
  readonly store: Pick<StoreWithoutExecutions, 'workflows' | 'output'>;
  readonly slice: Slices;
}

const SHARING = { waitMs: SHARED_CALL_WAIT_MS };
/** For what no run waits for, so that several runs share a call. Messages are acknowledged that much later. */
const UNHURRIED = { ...SHARING, gatherMs: 150 };
/** Hundreds of messages that got their records in the same turn would make it a long one. */
const HANDED_OUT_AT_ONCE = 20;
/** An embedded store writes them in one turn. */
const SETTLED_AT_ONCE = 50;

export const createSharedCalls = ({
  executions: { records },
  store: { workflows, output },
  slice,
}: SharedCallsDeps): SharedCalls => ({
  readExecution: together(async (ids: readonly Id[]) => {
    if (ids.length === 1) return [await records.get(ids[0]!)];
    const found = byId(await records.list({ filter: { _id: isOneOf(new Set(ids)) } }));
    let turn = Promise.resolve();
    return ids.map((id, index) => {
      if (index > 0 && index % HANDED_OUT_AT_ONCE === 0) turn = turn.then(() => slice.pause());
      return turn.then(() => found.get(id));
    });
  }, SHARING),
  readRun: together(async (ids: readonly Id[]) => {
    if (ids.length === 1) return [await workflows.get(ids[0]!)];
    const found = byId(await workflows.getAll([...new Set(ids)]));
    return ids.map((id) => found.get(id));
  }, SHARING),
  settle: together(async (ids: readonly Id[]) => {
    const all = [...new Set(ids)];
    for (let at = 0; at < all.length; at += SETTLED_AT_ONCE)
      await records.settle(all.slice(at, at + SETTLED_AT_ONCE), 'workflow-engine');
    return ids.map(() => undefined);
  }, UNHURRIED),
  settleAt: together(async (all: readonly ExecutionRecord[]) => {
    for (let at = 0; at < all.length; at += SETTLED_AT_ONCE)
      await records.settleEachAt(all.slice(at, at + SETTLED_AT_ONCE), 'workflow-engine');
    return all.map(() => undefined);
  }, UNHURRIED),
  close: together(async (ids: readonly Id[]) => {
    await workflows.close(ids);
    return ids.map(() => undefined);
  }, UNHURRIED),
  output: {
    append: together(async (all: readonly (readonly OutputRecord[])[]) => {
      await output.append(all.flat());
      return all.map(() => undefined);
    }, SHARING),
  },
});

const byId = <T extends { readonly _id: Id }>(records: readonly T[]): ReadonlyMap<Id, T> =>
  new Map(records.map((record) => [record._id, record]));
