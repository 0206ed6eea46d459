import type { Executions } from '@switchyard/executions';
import type { InstanceObserver } from '@switchyard/host';
import { mayMove, type ExecutionRecord, type ProcessMark } from '@switchyard/model';
import { EXECUTION_MARKER } from '@switchyard/runners';
import type { RecordPath, Store } from '@switchyard/storage';
import { endOrphanedSpawnServers, endProcessGroup, killMarked } from '@switchyard/subprocess';
import type { Logger } from '@switchyard/telemetry';

export interface RecoveryDeps {
  store: Pick<Store, 'instances'>;
  executions: Executions;
  observer: InstanceObserver;
  instance: string;
  host: string;
  logger: Logger;
}

/**
 * Cleans up after dead action runners.
 *
 * 1. Processes that they started on this host are ended before anything else is decided about the execution. The spawn servers of
 *    dead owners come first, since they could start more.
 * 2. A runner on the owner's host does that, and only one of several: it notes itself in the claim first. Another one that is slower
 *    would end the processes of the next attempt. Runners on other hosts decide without it only when there is no such runner.
 * 3. An execution that may run twice is requested again; one that was being canceled is canceled; any other is
 *    abandoned, because its progress is unknown.
 * 4. Claims are read before living runners. Runners register before they claim, so a runner that started in between
 *    counts as alive.
 */
export async function recoverExecutions(deps: RecoveryDeps): Promise<void> {
  const claimants = await deps.executions.records.claimants();
  const { alive, dead } = await look(deps);
  const hosts = new Set([...alive.values()].map(({ host }) => host));
  for (const instance of claimants.filter((id) => !alive.has(id))) {
    const records = await deps.executions.records.claimedBy(instance);
    if (records.some(({ claim }) => claim?.host === deps.host)) await endOrphanedSpawnServers();
    for (const record of records) {
      const host = record.claim?.host;
      if (host === deps.host) {
        if (!(await takeRecovery(deps, record, alive))) continue;
        await endProcesses(deps, record);
      } else if (host !== undefined && hosts.has(host)) continue;
      await decide(deps, record);
    }
  }
  await endLeftovers(deps);
  if (dead.length === 0) return;
  const holding = new Set(await deps.executions.records.claimants());
  for (const { _id } of dead) if (!holding.has(_id)) await deps.store.instances.remove(_id);
}

/** The living runners by id. This one is always among them, whatever its record says. */
async function look({ observer, instance, host }: RecoveryDeps) {
  const { alive, dead } = await observer.look('action-runner');
  const living = new Map<string, { host: string }>(alive.map((record) => [record._id, record]));
  return { alive: living.set(instance, { host }), dead: dead.filter(({ _id }) => _id !== instance) };
}

/** @returns false if another living runner recovers the execution, or has done it */
async function takeRecovery(
  { executions, instance }: RecoveryDeps,
  { _id, claim }: ExecutionRecord,
  alive: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  if (!claim) return false;
  const { recoverer } = claim;
  if (recoverer !== undefined && recoverer !== instance && alive.has(recoverer)) return false;
  return executions.records.takeRecovery({ _id, claim }, instance);
}

/** Ends processes on this host of executions that another process has decided about. */
async function endLeftovers(deps: RecoveryDeps): Promise<void> {
  const records = await deps.executions.records.processesOn(deps.host);
  if (records.length === 0) return;
  const { alive } = await look(deps);
  // Those of dead runners of this host are recovered, by one runner.
  const isLeft = ({ claim }: ExecutionRecord) =>
    claim === undefined || (claim.host !== deps.host && !alive.has(claim.instance));
  const left = records.filter(isLeft);
  if (left.length > 0) await endOrphanedSpawnServers();
  for (const record of left) {
    const now = await deps.executions.records.get(record._id);
    // Its next attempt has the same marker.
    if (now && !isLeft(now)) continue;
    await endProcesses(deps, record);
    // Do not clear the mark of a run that has started since.
    await deps.executions.records.removeProcess(record._id, record.process);
  }
}

async function endProcesses({ logger }: RecoveryDeps, record: ExecutionRecord): Promise<void> {
  const marker = { name: EXECUTION_MARKER, value: record._id };
  const group = record.process && recordedGroup(record.process);
  if (group) await endProcessGroup(group, { marker });
  // The runner may have died between starting the process and recording it.
  const strays = await killMarked(marker);
  if (group || strays.length > 0)
    logger.info('Killed processes left behind by a dead action runner.', {
      execution_id: record._id,
      strays: strays.length,
    });
}

const recordedGroup = ({ pid, start_time, boot_id }: ProcessMark) => ({
  pgid: pid,
  startTime: start_time,
  bootId: boot_id,
});

async function decide({ executions, host, logger }: RecoveryDeps, record: ExecutionRecord): Promise<void> {
  const { claim, status } = record;
  if (!claim) return;
  const guard: Guard = { claim, ...(claim.host === host ? { unset: ['process'] } : {}) };
  const error = `The action runner on ${claim.host} (pid ${claim.pid}) ended while this execution was running.`;
  const ended =
    status === 'canceling'
      ? await executions.transition(record, 'canceled', guard)
      : record.idempotent && mayMove(status, 'requested')
        ? await executions.transition(record, 'requested', requeue(guard))
        : await executions.transition(record, 'abandoned', await withResult(executions, record, guard, error));
  if (ended)
    logger.warn('Recovered an execution of a dead action runner.', {
      execution_id: record._id,
      from: status,
      to: ended.status,
    });
}

interface Guard {
  claim: { instance: string; number: number };
  unset?: readonly RecordPath<ExecutionRecord>[];
}

const requeue = ({ claim, unset = [] }: Guard) => ({
  claim,
  due: ['scheduler'] as const,
  unset: [...unset, 'claim', 'runner_info'] as const,
});

async function withResult(
  executions: Executions,
  record: ExecutionRecord,
  { claim, unset = [] }: Guard,
  error: string,
) {
  const stored = await executions.results.store(record, { error });
  return { claim, set: stored.set, unset: [...unset, ...stored.unset] };
}
