import { readdirSync, readFileSync } from 'node:fs';
import type { ApiCaller } from '../system/api-caller';

const TERMINAL = ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled'];
const OPEN = ['requested', 'scheduled', 'delayed', 'running', 'canceling', 'pausing', 'paused', 'pending', 'resuming'];

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
  rule?: { ref: string };
}

/** What is expected of the executions of a load, and since when. */
export interface Expectation {
  readonly accepted: ReadonlySet<string>;
  /** References of rules whose executions do not count. */
  readonly endlessRules: ReadonlySet<string>;
  /** The end of the fault, by `Date.now()`. */
  readonly overAt: number;
  /** Whether the recorded times can be trusted. */
  readonly jumped: boolean;
  /** Everything has to end within this time from now on. */
  readonly limitMs: number;
}

/** How the executions of a load ended. */
export interface Settlement {
  problems: string[];
  /** Milliseconds from the end of the fault until the last execution ended, by its own record if that can be trusted. */
  tookMs: number;
  /** The number of executions by final status. */
  statuses: Record<string, number>;
  succeeded: Set<string>;
}

/** Listing everything takes a while, so an end within the limit may be seen this much later. */
const LOOKING_MS = 5000;

/** Waits until all executions have ended, including those with unknown ids. An end after the limit is a problem. */
export const settled = (api: ApiCaller, accepted: ReadonlySet<string>, limitMs: number): Promise<Settlement> =>
  settledAfterFault(api, { accepted, endlessRules: new Set(), overAt: Date.now(), jumped: false, limitMs });

/** The same for one of several loads. */
export async function settledAfterFault(api: ApiCaller, expected: Expectation): Promise<Settlement> {
  const { accepted, jumped, overAt, limitMs } = expected;
  const [start, startedAt] = [performance.now(), Date.now()];
  const settlement: Settlement = { problems: [], tookMs: 0, statuses: {}, succeeded: new Set() };
  let open: readonly string[] = [...accepted];
  let unknown: string[] = ['not looked yet'];
  while ((open.length > 0 || unknown.length > 0) && performance.now() - start < limitMs + LOOKING_MS) {
    const still: string[] = [];
    for (const id of open) {
      const { status, body } = await api.call('GET', `/v1/executions/${id}?include_attributes=status,end_timestamp`);
      const { status: found = '', end_timestamp: end } = (body ?? {}) as Partial<Execution>;
      if (status === 404) settlement.problems.push(`accepted, but not in the history: ${id}`);
      else if (TERMINAL.includes(found)) {
        const endedAt = jumped ? Date.now() : Date.parse(end ?? '');
        if (!(endedAt - startedAt <= limitMs))
          settlement.problems.push(`ended ${endedAt - overAt} ms after the fault: ${id}`);
        note(settlement, { id, status: found, tookMs: endedAt - overAt });
      } else still.push(id);
    }
    open = still;
    unknown = await unknownIds(api, expected);
    if (open.length > 0 || unknown.length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const id of [...open, ...unknown]) settlement.problems.push(`not ended ${limitMs} ms after the fault: ${id}`);
  return settlement;
}

function note(settlement: Settlement, { id, status, tookMs }: { id: string; status: string; tookMs: number }): void {
  settlement.statuses[status] = (settlement.statuses[status] ?? 0) + 1;
  settlement.tookMs = Math.max(settlement.tookMs, tookMs);
  if (status === 'succeeded') settlement.succeeded.add(id);
}

/** Requests whose response was lost with the process may still have been stored, and then run; events run executions. */
async function unknownIds(api: ApiCaller, { accepted, endlessRules }: Expectation): Promise<string[]> {
  const { body } = await api.call(
    'GET',
    `/v1/executions?status=${OPEN.join(',')}&include_attributes=status,rule&limit=-1`,
  );
  return (body as Execution[])
    .filter(({ id, rule }) => !accepted.has(id) && !endlessRules.has(rule?.ref ?? ''))
    .map(({ id }) => id);
}
