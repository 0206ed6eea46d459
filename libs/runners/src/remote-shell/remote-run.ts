import { fault, isFault } from '@switchyard/base';
import { failedRun } from '../run-process';
import type { RunAbilities, RunHandle, RunRequest, RunResult } from '../runner-plugin';
import type { RemoteEnd } from './command/remote-command';
import type { ConnectionPool } from './connection/connection-pool';
import { endedHost, failedHost, type HostResult } from './host-result';
import type { HostRun } from './host-run';
import { remoteSettings } from './remote-shell-parameters';
import { runOnHosts } from './run-on-hosts';
import { remoteHosts, type RemoteHost } from './target/remote-hosts';
import { resolveTarget, type AccessDefaults } from './target/resolve-target';
import type { SshTarget } from './target/ssh-target';

/** What all remote runs of a service share. */
export interface RemoteShell {
  readonly pool: ConnectionPool;
  readonly defaults: AccessDefaults;
  /** Where scripts are copied to when an action does not say. */
  readonly remoteDirectory: string;
  readonly mostHosts: number;
  readonly allowPartialFailure: boolean;
}

/** What is done on each host. */
export type HostWork = (run: HostRun, target: SshTarget, index: number) => Promise<RemoteEnd>;

/** Runs something on all hosts of a request. @param prepare may throw; then the run has failed with that message */
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

/** What says that there is no connection to a host, and so that nothing was done there. */
const UNREACHED = /^ssh\.(connect|channel|key|key-file|no-credentials|config|host|host-key-\w+|known-hosts)$/;
