import { microsToIso, type Micros } from '@switchyard/base';
import { DEFAULT_POOL, WORKFLOW_POOL, type ExecutionRecords } from '@switchyard/executions';
import { PROCESS } from '@switchyard/host';
import {
  isTerminal,
  RUNNABLE_SERVICES,
  STATUSES,
  type InstanceRecord,
  type PoolStatus,
  type QueueStatus,
  type Replica,
  type SystemStatus,
} from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { findProblems } from './find-problems';

type Deps = Pick<ApiDependencies, 'instances' | 'store' | 'executions' | 'clock'>;

const OPEN = STATUSES.filter((status) => !isTerminal(status));
/** Users choose the names of pools, so only this many of each kind are read. */
const MOST_POOLS = 100;
/** The services that executions wait for. Those that wait for a scheduler are shown by pool. */
const CONSUMERS = ['action-runner', 'workflow-engine', 'notifier'] as const;

/**
 * Reads what is running and what waits. Counts read keys of indexes, and the oldest of a kind costs one look-up, so the
 * cost does not depend on the number of ended executions.
 */
export async function readStatus(deps: Deps): Promise<SystemStatus> {
  const { executions, store, clock } = deps;
  const { records } = executions;
  const alive = await deps.instances.alive();
  const now = clock.nowMicros();
  const isIdle = (await records.count({ status: isOneOf(OPEN) })) === 0;
  const facts = {
    taken_at: microsToIso(now),
    services: servicesOf(alive),
    leaders: leadersOf(await store.elections.list(), alive),
    executions: isIdle ? [] : await openExecutions(records),
    pools: await poolsOf(records, slotsByPool(alive), now, isIdle),
    queues: await queuesOf(deps),
  };
  return { ...facts, problems: findProblems(facts, now) };
}

function servicesOf(alive: readonly InstanceRecord[]): SystemStatus['services'] {
  const processes = alive.filter(({ service }) => service === PROCESS);
  const runners = alive.filter(({ service }) => service === 'action-runner');
  return RUNNABLE_SERVICES.map((service) => ({
    service,
    replicas: processes
      .filter(({ services }) => services?.includes(service))
      .map((process) => replicaOf(process, service === 'action-runner' ? runners : [])),
  }));
}

/** @param runners the leases of action runners, which know slots and pools */
function replicaOf(
  { _id, host, pid, version, started_at }: InstanceRecord,
  runners: readonly InstanceRecord[],
): Replica {
  const { slots, pools } = runners.find((each) => each.host === host && each.pid === pid) ?? {};
  return {
    id: _id,
    host,
    pid,
    ...(version === undefined ? {} : { version }),
    started_at: microsToIso(started_at),
    ...(slots === undefined ? {} : { slots }),
    ...(pools === undefined ? {} : { pools }),
  };
}

const leadersOf = (
  elections: Awaited<ReturnType<Deps['store']['elections']['list']>>,
  alive: readonly InstanceRecord[],
): SystemStatus['leaders'] =>
  elections.flatMap(({ _id, holder, since }) => {
    const process = alive.find((each) => each._id === holder);
    if (!process) return [];
    return [{ leadership: _id, host: process.host, pid: process.pid, elected_at: microsToIso(since) }];
  });

async function openExecutions(records: ExecutionRecords): Promise<SystemStatus['executions']> {
  const counts: SystemStatus['executions'] = [];
  for (const status of OPEN) {
    const count = await records.count({ status });
    if (count === 0) continue;
    const fields = ['start_timestamp'] as const;
    const [oldest] = await records.list({ filter: { status }, sort: { start_timestamp: 1 }, limit: 1, fields });
    counts.push({ status, count, ...(oldest && { oldest_at: microsToIso(oldest.start_timestamp) }) });
  }
  return counts;
}

function slotsByPool(alive: readonly InstanceRecord[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const { service, slots = 0, pools = [] } of alive)
    if (service === 'action-runner') for (const pool of pools) all.set(pool, (all.get(pool) ?? 0) + slots);
  return all;
}

/** The same numbers as those of the metrics. */
async function poolsOf(
  records: ExecutionRecords,
  slots: ReadonlyMap<string, number>,
  now: Micros,
  isIdle: boolean,
): Promise<PoolStatus[]> {
  const used = isIdle ? [] : await records.poolsInUse(MOST_POOLS);
  const pools: PoolStatus[] = [];
  for (const pool of new Set([DEFAULT_POOL, ...slots.keys(), ...used])) {
    const waiting = isIdle ? 0 : await records.countWaiting(pool, now);
    const since = waiting === 0 ? undefined : await records.waitingSince(pool, now);
    const available = slots.get(pool);
    pools.push({
      pool,
      waiting,
      ...(since === undefined ? {} : { oldest_at: microsToIso(since) }),
      // Workflows hold no slots.
      ...(pool === WORKFLOW_POOL ? {} : { active: isIdle ? 0 : await records.countActive(pool) }),
      ...(available === undefined ? {} : { slots: available }),
    });
  }
  return pools;
}

async function queuesOf({ executions, store }: Deps): Promise<QueueStatus[]> {
  const queues: QueueStatus[] = [];
  for (const service of CONSUMERS) queues.push({ service, waiting: await executions.records.count({ due: service }) });
  const filter = { status: 'pending' } as const;
  const [oldest] = await store.triggerInstances.list({ filter, sort: { occurrence_time: 1 }, limit: 1 });
  queues.push({
    service: 'rules-engine',
    waiting: oldest ? await store.triggerInstances.count(filter) : 0,
    ...(oldest && { oldest_at: microsToIso(oldest.occurrence_time) }),
  });
  return queues;
}
