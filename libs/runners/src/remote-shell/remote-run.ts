import { fault, isFault } from '@switchyard/base';
import { failedRun } from '../run-process';
import type { RunAbilities, RunHandle, RunRequest, RunResult } from '../runner-plugin';
import type { RemoteEnd } from './command/remote-command';
import type { ConnectionPool } from './connection/connection-pool';
import { endedHost, failedHost, type HostResult } from './host-result';
import type { HostRun } from './host-run';
import { remoteSettings } from './remote-shell-parameters';
import { remoteHosts, type RemoteHost } from './target/remote-hosts';
import { resolveTarget, type AccessDefaults } from './target/resolve-target';
import type { SshTarget } from './target/ssh-target';

/** Shared by all remote runs of a service. */
export interface RemoteShell {
  readonly pool: ConnectionPool;
  readonly defaults: AccessDefaults;
  /** The default directory for copied scripts. */
  readonly remoteDirectory: string;
  readonly mostHosts: number;
  readonly allowPartialFailure: boolean;
}

/** The work on each host. */
export type HostWork = (run: HostRun, target: SshTarget, index: number) => Promise<RemoteEnd>;

/** Runs something on all hosts of a request. @param prepare may throw; the run then fails with that message */
export function remoteRun(
  shell: RemoteShell,
  request: RunRequest,
  abilities: RunAbilities,
  prepare: () => Promise<HostWork>,
): RunHandle {
  const stop = new AbortController();
  const run = async (): Promise<RunResult> => {
    const work = await prepare();
    const hosts = remoteHosts(request.runnerParameters['hosts'], request.liveactionId);
    const settings = remoteSettings(request.runnerParameters);
    const hasOthers = hosts.length > 1;
    const shared: HostRun = { pool: shell.pool, request, abilities, settings, hasOthers, signal: stop.signal };
    const options = { most: shell.mostHosts, allowPartialFailure: shell.allowPartialFailure };
    return runOnHosts(hosts, options, (host, index) => onHost(shell, shared, work, host, index));
  };
  return { result: run().catch(failedRun), cancel: () => stop.abort() };
}

async function onHost(
  { defaults }: RemoteShell,
  run: HostRun,
  work: HostWork,
  host: RemoteHost,
  index: number,
): Promise<HostResult> {
  if (run.signal.aborted) return failedHost(fault('ssh.not-started'), 'canceled', false);
  try {
    const target = await resolveTarget(host, run.settings.access, defaults);
    const end = await work(run, target, index);
    return await endedHost(end, run.settings.shell, target.user, run.abilities.config.data);
  } catch (thrown) {
    const isReached = !(isFault(thrown) && UNREACHED.test(thrown.code));
    if (run.signal.aborted) return failedHost(thrown, 'canceled', isReached);
    const isLate = isFault(thrown) && thrown.code === 'ssh.upload-timeout';
    return failedHost(thrown, isLate ? 'timeout' : 'failed', isReached);
  }
}

/** Faults that mean that a host could not be reached, so that nothing was done there. */
const UNREACHED = /^ssh\.(connect|channel|key|key-file|no-credentials|config|host|host-key-\w+|known-hosts)$/;

export interface HostsOptions {
  /** The number of concurrent hosts. */
  readonly most: number;
  /** Whether one success is enough. */
  readonly allowPartialFailure: boolean;
}

/** Works on several hosts at a time and combines their results. @param work must not reject */
async function runOnHosts(
  hosts: readonly RemoteHost[],
  { most, allowPartialFailure }: HostsOptions,
  work: (host: RemoteHost, index: number) => Promise<HostResult>,
): Promise<RunResult> {
  const results: HostResult[] = [];
  const queue = hosts.entries();
  const worker = async () => {
    for (const [index, host] of queue) results[index] = await work(host, index);
  };
  await Promise.all(Array.from({ length: Math.min(most, hosts.length) }, worker));
  return noneReached(hosts, results) ?? together(hosts, results, allowPartialFailure);
}

function noneReached(hosts: readonly RemoteHost[], results: readonly HostResult[]): RunResult | undefined {
  if (!results.every(({ unreachable, status }) => unreachable !== undefined && status === 'failed')) return undefined;
  const names = hosts.map(({ name }) => name).join(', ');
  const reasons = [...new Set(results.map(({ unreachable }) => unreachable))].join(' ');
  return failedRun(fault('ssh.none-reached', { hosts: names, reasons }));
}

function together(hosts: readonly RemoteHost[], results: readonly HostResult[], isOneEnough: boolean): RunResult {
  return {
    status: statusOf(
      results.map(({ status }) => status),
      isOneEnough,
    ),
    result: Object.fromEntries(hosts.map(({ name }, index) => [name, results[index]?.entry])),
    truncated: results.some(({ truncated }) => truncated),
  };
}

/** The status of the whole run. It is a timeout only if every host without success timed out. */
export function statusOf(statuses: readonly RunResult['status'][], isOneEnough: boolean): RunResult['status'] {
  const others = statuses.filter((status) => status !== 'succeeded');
  if (others.includes('canceled')) return 'canceled';
  if (others.length === 0 || (isOneEnough && others.length < statuses.length)) return 'succeeded';
  return others.every((status) => status === 'timeout') ? 'timeout' : 'failed';
}
