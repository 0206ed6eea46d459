import type { Executions } from '@switchyard/executions';
import type { InstanceObserver } from '@switchyard/host';
import type { ExecutionRecord, ProcessMark } from '@switchyard/model';
import { EXECUTION_MARKER } from '@switchyard/runners';
import type { Store } from '@switchyard/storage';
import { endProcessGroup, killMarked } from '@switchyard/subprocess';
import type { Logger } from '@switchyard/telemetry';

export interface RecoveryDeps {
  store: Pick<Store, 'executions'>;
  executions: Executions;
  observer: InstanceObserver;
  instance: string;
  host: string;
  logger: Logger;
}

/**
 * Deals with what dead action runners have left behind.
 *
 * 1. What they started on this host is ended before anything else is decided about the execution.
 * 2. A runner on the owner's host does that; only when there is none do others decide without it.
 * 3. An execution that may run twice is requested again; one that was being canceled is canceled; any other is
 *    abandoned, since nobody can tell how far it came.
 */
export async function recover(deps: RecoveryDeps): Promise<void> {
  const runners = await deps.observer.alive('action-runner');
  const alive = new Set(runners.map(({ _id }) => _id));
  const hosts = new Set(runners.map(({ host }) => host));
  for (const instance of await deps.store.executions.claimants()) {
    if (alive.has(instance) || instance === deps.instance) continue;
    for (const record of await deps.store.executions.claimedBy(instance)) {
      const host = record.claim?.host;
      if (host === deps.host) await endProcesses(deps, record);
      else if (host !== undefined && hosts.has(host)) continue;
      await decide(deps, record);
    }
  }
  await endLeftovers(deps, alive);
}

/** Processes on this host whose execution has been decided about elsewhere. */
async function endLeftovers(deps: RecoveryDeps, alive: ReadonlySet<string>): Promise<void> {
  for (const record of await deps.store.executions.processesOn(deps.host)) {
    const owner = record.claim?.instance;
    if (owner !== undefined && (alive.has(owner) || owner === deps.instance)) continue;
    await endProcesses(deps, record);
    await deps.store.executions.change(record._id, {}, { unset: ['process'] });
  }
}

async function endProcesses({ logger }: RecoveryDeps, record: ExecutionRecord): Promise<void> {
  const marker = { name: EXECUTION_MARKER, value: record._id };
  const group = record.process && recordedGroup(record.process);
  if (group) await endProcessGroup(group, { marker });
  // The runner may have died between starting the process and writing it down.
  const strays = await killMarked(marker);
  if (group || strays.length > 0)
    logger.info('Ended the processes that a dead action runner had left.', {
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
  const guard = { claim, ...(claim.host === host ? { unset: ['process'] } : {}) };
  const error = `The action runner on ${claim.host} (pid ${claim.pid}) ended while this execution was running.`;
  const ended =
    status === 'canceling'
      ? await executions.transition(record, 'canceled', guard)
      : record.idempotent
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
  unset?: string[];
}

const requeue = ({ claim, unset = [] }: Guard) => ({
  claim,
  due: ['scheduler'] as const,
  unset: [...unset, 'claim', 'runner_info'],
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
