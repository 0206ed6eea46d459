import type { Micros } from '@switchyard/base';
import {
  ACTIVE_STATUSES,
  type Claim,
  type DueConsumer,
  type ExecutionRecord,
  type ProcessMark,
  type Status,
} from '@switchyard/model';
import { changedRecord } from '../changed-record';
import type { Collection, SeveralChange } from '../collection';
import type { At, RecordChange, Filter, RecordPage, RecordPath } from '../filter';
import type { KnownRecord } from '../grouped-writes';
import { executionBacklog, type ExecutionBacklog } from './execution-backlog';
import { poolLevels, type PoolLevels } from './pool-levels';
import { recordedChange } from './recorded-change';

/** The conditions for a change. */
export interface Expectation {
  status?: readonly Status[];
  revision?: number;
  /** The claim as the holder knows it: a holder that was replaced in the meantime changes nothing. */
  claim?: { instance: string; number: number };
}

export interface ExecutionRepository extends ExecutionBacklog, PoolLevels, DueMarks {
  /** Inserts the record, or returns the existing one with this request key. */
  insert(record: ExecutionRecord): Promise<{ record: ExecutionRecord; created: boolean }>;
  get(id: string): Promise<ExecutionRecord | undefined>;
  getByLiveaction(liveactionId: string): Promise<ExecutionRecord | undefined>;
  list(page: RecordPage<ExecutionRecord>): Promise<ExecutionRecord[]>;
  /** Like `list`, one record at a time. */
  each(page: RecordPage<ExecutionRecord>): AsyncIterable<ExecutionRecord>;
  count(filter?: Filter<ExecutionRecord>): Promise<number>;
  distinct<P extends RecordPath<ExecutionRecord>>(
    field: P,
    filter?: Filter<ExecutionRecord>,
  ): Promise<At<ExecutionRecord, P>[]>;
  /**
   * Compare-and-set.
   * @param known the record as last read. A server then need not return it, unless its revision is another one by now
   * @returns the changed record, or undefined when the expectation did not hold
   */
  change(
    id: string,
    expected: Expectation,
    change: RecordChange<ExecutionRecord>,
    known?: ExecutionRecord,
  ): Promise<ExecutionRecord | undefined>;
  /** Changes several records with one call, each by compare-and-set. @returns the number of changed records */
  changeEach(
    changes: readonly {
      readonly ids: readonly string[];
      readonly expected: Expectation;
      readonly change: RecordChange<ExecutionRecord>;
    }[],
  ): Promise<number>;
  /** Removes the records alone. @returns how many existed */
  removeAll(ids: readonly string[]): Promise<number>;
  /** Unfinished executions of some actions that have started. */
  underWay(actions: readonly string[]): Promise<ExecutionRecord[]>;
  /** The runner instances that hold claims. */
  claimants(): Promise<string[]>;
  claimedBy(instance: string): Promise<ExecutionRecord[]>;
  /** Compare-and-set of the runner that cleans up after the dead one with this claim. */
  takeRecovery(of: { readonly _id: string; readonly claim: Claim }, recoverer: string): Promise<boolean>;
  /** Records with a process group on a host that may still be running. */
  processesOn(host: string): Promise<(ExecutionRecord & { process: ProcessMark })[]>;
  /** Removes the mark of a process group, unless it has changed to another group. */
  removeProcess(id: string, process: ProcessMark): Promise<void>;
  childrenOf(id: string): Promise<ExecutionRecord[]>;
  byRequestKey(key: string): Promise<ExecutionRecord | undefined>;
  /** The executions that a workflow has requested, or only those of one task, by creation. */
  ofWorkflow(workflow: string, task?: string): Promise<ExecutionRecord[]>;
  /** The same one at a time, unordered. */
  eachOfWorkflow(workflow: string): AsyncIterable<ExecutionRecord>;
  /** A limited number of workflows in a tree with one of these statuses. */
  workflowsUnder(root: string, statuses: readonly Status[], limit: number): Promise<ExecutionRecord[]>;
  /** The ids of all of them, with their nesting depth. */
  eachWorkflowUnder(root: string, statuses: readonly Status[]): AsyncIterable<Pick<ExecutionRecord, '_id' | 'nesting'>>;
}

export function executionRepository(executions: Collection<ExecutionRecord>): ExecutionRepository {
  return {
    insert: (record) => insertOnce(executions, record),
    get: (id) => executions.get(id),
    getByLiveaction: (liveactionId) => executions.findOne({ liveaction_id: liveactionId }),
    list: (page) => executions.list(page),
    each: (page) => executions.each(page),
    count: (filter) => executions.count(filter),
    distinct: (field, filter) => executions.distinct(field, filter),
    change: (id, expected, change, known) => {
      const filter = expectation(expected);
      const recognize = recordedChange(expected, change);
      return recognize
        ? executions.changeRecord(id, filter, change, { recognize, ...knowledgeOf(known, expected, change) })
        : executions.change({ _id: id, ...filter }, change);
    },
    changeEach: (changes) =>
      executions.changeEach(
        changes.map(({ ids, expected, change }) => ({
          filter: { _id: { $in: ids }, ...expectation(expected) },
          change,
          many: true,
        })),
      ),
    removeAll: (ids) => executions.removeAll({ _id: { $in: ids } }),
    ...executionBacklog(executions),
    ...poolLevels(executions),
    underWay: (actions) =>
      executions.list({ filter: { status: { $in: UNDER_WAY }, action_ref: { $in: [...actions] } } }),
    ...dueMarks(executions),
    claimants: () => executions.distinct('claim.instance', { slot: { $exists: true } }),
    claimedBy: (instance) => executions.list({ filter: { slot: { $exists: true }, 'claim.instance': instance } }),
    async takeRecovery({ _id, claim }, recoverer) {
      const former = { 'claim.recoverer': claim.recoverer ?? { $exists: false } };
      const filter = { _id, ...expectation({ claim }), ...former } as Filter<ExecutionRecord>;
      return (await executions.change(filter, { set: { 'claim.recoverer': recoverer } })) !== undefined;
    },
    processesOn: async (host) =>
      (await executions.list({ filter: { 'process.host': host } })) as (ExecutionRecord & { process: ProcessMark })[],
    async removeProcess(id, { host, pid, start_time: startTime }) {
      const expected = { 'process.host': host, 'process.pid': pid, 'process.start_time': startTime };
      await executions.change({ _id: id, ...expected }, { unset: ['process'] });
    },
    byRequestKey: (key) => executions.findOne({ request_key: key }),
    ofWorkflow: (workflow, task) =>
      executions.list({
        filter: { workflow_execution: workflow, ...(task === undefined ? {} : { task_execution: task }) },
        sort: { start_timestamp: 1, _id: 1 },
      }),
    eachOfWorkflow: (workflow) => executions.each({ filter: { workflow_execution: workflow } }),
    workflowsUnder: (root, statuses, limit) => executions.list({ filter: workflowsOf(root, statuses), limit }),
    eachWorkflowUnder: (root, statuses) =>
      executions.each({ filter: workflowsOf(root, statuses), fields: ['nesting'] }),
    childrenOf: (id) => executions.list({ filter: { parent: id }, sort: { start_timestamp: 1 } }),
  };
}

function knowledgeOf(
  record: ExecutionRecord | undefined,
  { revision }: Expectation,
  change: RecordChange<ExecutionRecord>,
): { known?: KnownRecord<ExecutionRecord> } {
  if (!record || (revision !== undefined && revision !== record.revision)) return {};
  const filter = revision === undefined ? { revision: record.revision } : {};
  return { known: { filter, after: () => changedRecord(record, change) } };
}

async function insertOnce(
  executions: Collection<ExecutionRecord>,
  record: ExecutionRecord,
): Promise<{ record: ExecutionRecord; created: boolean }> {
  try {
    return { record: await executions.insert(record), created: true };
  } catch (error) {
    const existing =
      record.request_key === undefined ? undefined : await executions.findOne({ request_key: record.request_key });
    // The record exists under its own id if a connection failure lost the response to a first attempt.
    const stored = existing ?? (await executions.findOne({ _id: record._id, liveaction_id: record.liveaction_id }));
    if (!stored) throw error;
    return { record: stored, created: stored._id === record._id };
  }
}

const workflowsOf = (root: string, statuses: readonly Status[]): Filter<ExecutionRecord> => ({
  root,
  action_is_workflow: true,
  status: { $in: [...statuses] },
});

/** The services that have to act on an execution next. */
interface DueMarks {
  /** Removes a consumer's name from the due consumers. */
  settle(ids: readonly string[], consumer: DueConsumer): Promise<void>;
  /** Adds a consumer to the due consumers. @returns the changed record, if there is one */
  mark(id: string, consumer: DueConsumer, dueAt: Micros): Promise<ExecutionRecord | undefined>;
  /** Whether one of these consumers should have handled a record before a point in time. Costs one look-up. */
  anyOverdue(consumers: readonly DueConsumer[], before: Micros): Promise<boolean>;
  /** Records that a consumer should have handled before a point in time, oldest first. */
  overdue(consumer: DueConsumer, before: Micros, limit: number): Promise<ExecutionRecord[]>;
  /** Records that a reminder was sent to the consumers. */
  postpone(ids: readonly string[], dueAt: Micros): Promise<void>;
  /** Like `settle`, for one record that has not changed since. */
  settleAt(record: Unsettled, consumer: DueConsumer): Promise<void>;
  /** Like `settleAt`, for several records with one call. */
  settleEachAt(records: readonly Unsettled[], consumer: DueConsumer): Promise<void>;
}

type Unsettled = Pick<ExecutionRecord, '_id' | 'revision' | 'due'>;

/** The changes that remove a consumer's name from records that have not changed since. Those at the same revision share one. */
function settlements(records: readonly Unsettled[], consumer: DueConsumer): SeveralChange<ExecutionRecord>[] {
  const alike = new Map<string, { revision: number; isLast: boolean; ids: string[] }>();
  for (const { _id, revision, due = [] } of records) {
    const isLast = due.every((name) => name === consumer);
    const of = alike.get(`${revision} ${isLast}`);
    if (of) of.ids.push(_id);
    else alike.set(`${revision} ${isLast}`, { revision, isLast, ids: [_id] });
  }
  return [...alike.values()].map(({ revision, isLast, ids }) => ({
    filter: { _id: ids.length === 1 ? ids[0]! : { $in: ids }, revision, due: consumer },
    change: isLast ? { unset: ['due', 'due_at'] } : { pull: { due: consumer } },
    many: ids.length > 1,
  }));
}

const dueMarks = (executions: Collection<ExecutionRecord>): DueMarks => ({
  async settle(ids, consumer) {
    const own = { _id: { $in: ids }, due: [consumer] };
    if ((await executions.changeAll(own, { unset: ['due', 'due_at'] })) === new Set(ids).size) return;
    await executions.changeAll({ _id: { $in: ids }, due: consumer }, { pull: { due: consumer } });
    await executions.changeAll({ _id: { $in: ids }, due: { $size: 0 } }, { unset: ['due', 'due_at'] });
  },
  mark: (id, consumer, dueAt) => executions.change({ _id: id }, { push: { due: consumer }, set: { due_at: dueAt } }),
  async anyOverdue(consumers, before) {
    const filter = { due: { $in: [...consumers] }, due_at: { $lt: before } };
    return (await executions.list({ filter, limit: 1, fields: ['_id'] })).length > 0;
  },
  overdue: (consumer, before, limit) =>
    executions.list({ filter: { due: consumer, due_at: { $lt: before } }, sort: { due_at: 1 }, limit }),
  async postpone(ids, dueAt) {
    await executions.changeAll({ _id: { $in: ids }, due: { $exists: true } }, { set: { due_at: dueAt } });
  },
  async settleAt(record, consumer) {
    if (!record.due?.includes(consumer)) return;
    for (const { filter, change } of settlements([record], consumer)) await executions.change(filter, change);
  },
  async settleEachAt(records, consumer) {
    const due = records.filter((record) => record.due?.includes(consumer));
    await executions.changeEach(settlements(due, consumer));
  },
});

const UNDER_WAY: readonly Status[] = [...ACTIVE_STATUSES, 'pending', 'paused'];

function expectation({ status, revision, claim }: Expectation): Filter<ExecutionRecord> {
  return {
    ...(status ? { status: status.length === 1 ? status[0] : { $in: [...status] } } : {}),
    ...(revision === undefined ? {} : { revision }),
    ...(claim ? { 'claim.instance': claim.instance, 'claim.number': claim.number } : {}),
  };
}
