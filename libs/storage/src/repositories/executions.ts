import type { Micros } from '@switchyard/base';
import {
  ACTIVE_STATUSES,
  type DueConsumer,
  type ExecutionRecord,
  type ProcessMark,
  type Share,
  type Status,
} from '@switchyard/model';
import type { Collection } from '../collection';
import type { At, RecordChange, Filter, RecordPage, RecordPath } from '../filter';

/** The conditions for a change. */
export interface Expectation {
  status?: readonly Status[];
  revision?: number;
  /** The holder's knowledge of the claim: a holder that was replaced in the meantime changes nothing. */
  claim?: { instance: string; number: number };
}

export interface ExecutionRepository {
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
  /** Compare-and-set. @returns the changed record, or undefined when the expectation did not hold */
  change(
    id: string,
    expected: Expectation,
    change: RecordChange<ExecutionRecord>,
  ): Promise<ExecutionRecord | undefined>;
  /** Changes several records with one call, each by compare-and-set. @returns the number of changed records */
  changeEach(
    changes: readonly {
      readonly ids: readonly string[];
      readonly expected: Expectation;
      readonly change: RecordChange<ExecutionRecord>;
    }[],
  ): Promise<number>;
  /** Waiting executions that are due, by priority, then time. */
  backlog(pool: string, now: Micros, limit: number): Promise<ExecutionRecord[]>;
  /** The first queue by name with waiting executions of a priority, after `after` and before `before`. Costs one look-up. */
  nextShare(
    of: { pool: string; priority: number },
    range: { after: Share; before?: Share },
  ): Promise<{ share: Share; schedule_at: Micros } | undefined>;
  /** Due executions of one queue, by time. Without a queue: those of earlier versions, which have none. */
  backlogOf(
    of: { pool: string; priority: number; share: Share | undefined },
    now: Micros,
    limit: number,
  ): Promise<ExecutionRecord[]>;
  /** The time of the next waiting execution of a pool that is not yet due. */
  nextDue(pool: string, now: Micros): Promise<Micros | undefined>;
  /** Executions of a pool that wait for a policy group, by priority, then time. */
  waitingOn(key: string, pool: string, limit: number): Promise<ExecutionRecord[]>;
  /** The policy groups with waiting executions. Costs one look-up per group, however many wait. */
  waitedOn(): Promise<string[]>;
  /** Returns executions to the backlog: one, or all that wait for a group. */
  stopWaiting(of: { id: string } | { key: string }, now: Micros): Promise<void>;
  /** Unfinished executions of some actions that have started. */
  underWay(actions: readonly string[]): Promise<ExecutionRecord[]>;
  /** The number of executions that hold, or are about to hold, a slot of a pool. */
  countActive(pool: string): Promise<number>;
  /** Removes a consumer's name from the due consumers. */
  settle(ids: readonly string[], consumer: DueConsumer): Promise<void>;
  /** Records that a consumer should have handled before a point in time, oldest first. */
  overdue(consumer: DueConsumer, before: Micros, limit: number): Promise<ExecutionRecord[]>;
  /** Records that their consumers were reminded. */
  postpone(ids: readonly string[], dueAt: Micros): Promise<void>;
  /** The runner instances that hold claims. */
  claimants(): Promise<string[]>;
  claimedBy(instance: string): Promise<ExecutionRecord[]>;
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
  /** Some workflows in a tree with one of these statuses. */
  workflowsUnder(root: string, statuses: readonly Status[], limit: number): Promise<ExecutionRecord[]>;
  /** Like `settle`, for one record that has not changed since. */
  settleAt(record: Pick<ExecutionRecord, '_id' | 'revision' | 'due'>, consumer: DueConsumer): Promise<void>;
}

export function executionRepository(executions: Collection<ExecutionRecord>): ExecutionRepository {
  return {
    async insert(record) {
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
    },
    get: (id) => executions.get(id),
    getByLiveaction: (liveactionId) => executions.findOne({ liveaction_id: liveactionId }),
    list: (page) => executions.list(page),
    each: (page) => executions.each(page),
    count: (filter) => executions.count(filter),
    distinct: (field, filter) => executions.distinct(field, filter),
    change: (id, expected, change) => executions.change({ _id: id, ...expectation(expected) }, change),
    changeEach: (changes) =>
      executions.changeEach(
        changes.map(({ ids, expected, change }) => ({
          filter: { _id: { $in: ids }, ...expectation(expected) },
          change,
          many: true,
        })),
      ),
    backlog: (pool, now, limit) =>
      executions.list({
        filter: { due: 'scheduler', pool, schedule_at: { $lte: now } },
        sort: { priority: -1, schedule_at: 1 },
        limit,
      }),
    async nextShare({ pool, priority }, { after, before }) {
      const [next] = await executions.list({
        filter: { due: 'scheduler', pool, priority, share: { $gt: after, ...(before ? { $lt: before } : {}) } },
        sort: { share: 1, schedule_at: 1 },
        limit: 1,
        fields: ['share', 'schedule_at'],
      });
      return next?.share === undefined ? undefined : { share: next.share, schedule_at: next.schedule_at };
    },
    backlogOf: ({ pool, priority, share = null }, now, limit) =>
      executions.list({
        filter: { due: 'scheduler', pool, priority, share, schedule_at: { $lte: now } },
        sort: { share: 1, schedule_at: 1 },
        limit,
      }),
    async nextDue(pool, now) {
      const [next] = await executions.list({
        filter: { due: 'scheduler', pool, schedule_at: { $gt: now } },
        sort: { schedule_at: 1 },
        limit: 1,
        fields: ['schedule_at'],
      });
      return next?.schedule_at;
    },
    waitingOn: (key, pool, limit) =>
      executions.list({ filter: { waits_on: key, pool }, sort: { priority: -1, schedule_at: 1 }, limit }),
    async waitedOn() {
      const keys: string[] = [];
      for (;;) {
        const filter = { waits_on: { $gt: keys.at(-1) ?? '' } };
        const [next] = await executions.list({ filter, sort: { waits_on: 1 }, limit: 1, fields: ['waits_on'] });
        if (next?.waits_on === undefined) return keys;
        keys.push(next.waits_on);
      }
    },
    async stopWaiting(of, now) {
      const filter = 'id' in of ? { _id: of.id, waits_on: { $exists: true } } : { waits_on: of.key };
      await executions.changeAll(filter, {
        set: { due_at: now },
        push: { due: 'scheduler' },
        unset: ['waits_on', 'waiting_for'],
        inc: { revision: 1 },
      });
    },
    underWay: (actions) =>
      executions.list({ filter: { status: { $in: UNDER_WAY }, action_ref: { $in: [...actions] } } }),
    countActive: (pool) => executions.count({ slot: pool }),
    async settle(ids, consumer) {
      const own = { _id: { $in: ids }, due: [consumer] };
      if ((await executions.changeAll(own, { unset: ['due', 'due_at'] })) === new Set(ids).size) return;
      await executions.changeAll({ _id: { $in: ids }, due: consumer }, { pull: { due: consumer } });
      await executions.changeAll({ _id: { $in: ids }, due: { $size: 0 } }, { unset: ['due', 'due_at'] });
    },
    overdue: (consumer, before, limit) =>
      executions.list({ filter: { due: consumer, due_at: { $lt: before } }, sort: { due_at: 1 }, limit }),
    async postpone(ids, dueAt) {
      await executions.changeAll({ _id: { $in: ids }, due: { $exists: true } }, { set: { due_at: dueAt } });
    },
    claimants: () => executions.distinct('claim.instance', { slot: { $exists: true } }),
    claimedBy: (instance) => executions.list({ filter: { slot: { $exists: true }, 'claim.instance': instance } }),
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
    workflowsUnder: (root, statuses, limit) =>
      executions.list({ filter: { root, action_is_workflow: true, status: { $in: [...statuses] } }, limit }),
    async settleAt({ _id, revision, due = [] }, consumer) {
      if (!due.includes(consumer)) return;
      const left = due.filter((name) => name !== consumer);
      const change: RecordChange<ExecutionRecord> =
        left.length > 0 ? { pull: { due: consumer } } : { unset: ['due', 'due_at'] };
      await executions.change({ _id, revision, due: consumer }, change);
    },
    childrenOf: (id) => executions.list({ filter: { parent: id }, sort: { start_timestamp: 1 } }),
  };
}

const UNDER_WAY: readonly Status[] = [...ACTIVE_STATUSES, 'pending', 'paused'];

function expectation({ status, revision, claim }: Expectation): Filter<ExecutionRecord> {
  return {
    ...(status ? { status: status.length === 1 ? status[0] : { $in: [...status] } } : {}),
    ...(revision === undefined ? {} : { revision }),
    ...(claim ? { 'claim.instance': claim.instance, 'claim.number': claim.number } : {}),
  };
}
