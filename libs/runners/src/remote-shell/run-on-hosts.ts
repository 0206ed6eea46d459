import { fault } from '@switchyard/base';
import { failedRun } from '../run-process';
import type { RunResult } from '../runner-plugin';
import type { HostResult } from './host-result';
import type { RemoteHost } from './target/remote-hosts';

export interface HostsOptions {
  /** How many hosts at a time. */
  readonly most: number;
  /** Whether one success is enough. */
  readonly allowPartialFailure: boolean;
}

/** Works on all hosts, some at a time, and puts their results together. @param work must not reject */
export async function runOnHosts(
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

/** The status of the whole run. A timeout is one when time is all that was missing, on every host that did not succeed. */
export function statusOf(statuses: readonly RunResult['status'][], isOneEnough: boolean): RunResult['status'] {
  const others = statuses.filter((status) => status !== 'succeeded');
  if (others.includes('canceled')) return 'canceled';
  if (others.length === 0 || (isOneEnough && others.length < statuses.length)) return 'succeeded';
  return others.every((status) => status === 'timeout') ? 'timeout' : 'failed';
}
