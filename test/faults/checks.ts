import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ApiCaller } from '../system/api-caller';

const TERMINAL = ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled'];
const OPEN = ['requested', 'scheduled', 'delayed', 'running', 'canceling'];

/** Ids of living processes that executions of this system started. */
export function descendants(directory: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return environment.includes('SVC_ACTION_EXECUTION_ID=') && environment.includes(`SVC_FAULTS_RUN=${directory}`);
      } catch {
        return false;
      }
    });
}

interface Execution {
  id: string;
  status: string;
  end_timestamp?: string;
}

/** How the executions of a load ended. */
export interface Settlement {
  problems: string[];
  /** Milliseconds from the call until the last execution ended, by its own record. */
  tookMs: number;
  /** The number of executions by final status. */
  statuses: Record<string, number>;
  succeeded: Set<string>;
}

/** Listing everything takes a while, so an end within the limit may be seen this much later. */
const LOOKING_MS = 5000;

/** Waits until all executions have ended, including those with unknown ids. An end after the limit is a problem. */
export async function settled(api: ApiCaller, ids: ReadonlySet<string>, limitMs: number): Promise<Settlement> {
  const start = performance.now();
  const startedAt = Date.now();
  const late: string[] = [];
  let tookMs = 0;
  let open: string[] = [...ids];
  let unknown: string[] = ['not looked yet'];
  const missing: string[] = [];
  const statuses: Record<string, number> = {};
  const succeeded = new Set<string>();
  while ((open.length > 0 || unknown.length > 0) && performance.now() - start < limitMs + LOOKING_MS) {
    const still: string[] = [];
    for (const id of open) {
      const { status, body } = await api.call('GET', `/v1/executions/${id}?include_attributes=status,end_timestamp`);
      const { status: found = '', end_timestamp: end } = (body ?? {}) as Partial<Execution>;
      if (status === 404) missing.push(id);
      else if (TERMINAL.includes(found)) {
        statuses[found] = (statuses[found] ?? 0) + 1;
        if (found === 'succeeded') succeeded.add(id);
        const endedMs = Date.parse(end ?? '') - startedAt;
        tookMs = Math.max(tookMs, endedMs);
        if (!(endedMs <= limitMs)) late.push(`ended ${endedMs} ms after the fault: ${id}`);
      } else still.push(id);
    }
    open = still;
    // Requests whose response was lost with the process may still have been stored, and then run.
    const { body } = await api.call('GET', `/v1/executions?status=${OPEN.join(',')}&include_attributes=status`);
    unknown = (body as Execution[]).map(({ id }) => id).filter((id) => !ids.has(id));
    if (open.length > 0 || unknown.length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const problems = [
    ...missing.map((id) => `accepted, but not in the history: ${id}`),
    ...late,
    ...[...open, ...unknown].map((id) => `not ended ${limitMs} ms after the fault: ${id}`),
  ];
  return { problems, tookMs, statuses, succeeded };
}

/** No command may start twice, and the command of a succeeded execution must have finished. */
export function journalProblems(journal: string, succeeded: ReadonlySet<string>): string[] {
  if (!existsSync(journal)) return [];
  const starts = new Map<string, number>();
  const ends = new Set<string>();
  for (const line of readFileSync(journal, 'utf8').split('\n')) {
    const [word, id = ''] = line.split(' ');
    if (word === 'start') starts.set(id, (starts.get(id) ?? 0) + 1);
    if (word === 'end') ends.add(id);
  }
  return [
    ...[...starts].filter(([, count]) => count > 1).map(([id, count]) => `started ${count} times: ${id}`),
    ...[...starts.keys()]
      .filter((id) => succeeded.has(id) && !ends.has(id))
      .map((id) => `succeeded without its end: ${id}`),
  ];
}
