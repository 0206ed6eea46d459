import type { ApiCaller } from '../system/api-caller';

export interface Job {
  action: string;
  parameters?: Record<string, unknown>;
}

/** How to submit a job and recognize its execution. */
export interface Submission {
  /** @returns the key of the resulting execution */
  readonly submit: (api: ApiCaller) => Promise<string>;
  /** Attributes besides the id that the key is read from. */
  readonly attributes: readonly string[];
  readonly keyOf: (execution: Listed) => string;
  /** Further filters for the list of executions. */
  readonly filter?: string;
  /** The poll interval with one submitter, in milliseconds. */
  readonly lookMs?: number;
}

interface Waiting {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly ended: (end: number) => void;
}

export interface Listed {
  id: string;
  end_timestamp?: string;
  trigger_instance?: { payload: Record<string, unknown> };
}

const AT_ONCE = 100;
/** A single submitter is idle while it waits, so its reader polls more often. */
const LOOK_ALONE_MS = 2;
/**
 * Several submitters wait for the next poll besides for their executions. With an interval in proportion to these, the reader costs the
 * same for each execution of a fast system and of a slow one: an eighth of a list with 20 submitters.
 */
const LOOK_MS = { least: 4, most: 500 };
const LOOKS_PER_EXECUTION = 2;
const LATEST = 20;

/** Requests one execution per job. */
export const ofJob = (job: Job): Submission => ({
  async submit(api) {
    const { status, body } = await api.call('POST', '/v1/executions', job);
    if (status !== 201) throw new Error(`the API answered ${status}: ${JSON.stringify(body)}`);
    return (body as { id: string }).id;
  },
  attributes: [],
  keyOf: ({ id }) => id,
});

/**
 * Runs jobs with several submitters, each of which waits for its execution to end before it submits the next. One reader polls
 * for all submitters, starting at the oldest open execution; the record provides the end time.
 * @returns milliseconds from submit to end, for each job
 */
export async function runJobs(
  api: ApiCaller,
  { submit: send, attributes, keyOf, filter, lookMs = LOOK_ALONE_MS }: Submission,
  count: number,
  submitters: number,
): Promise<number[]> {
  const waiting = new Map<string, Waiting>();
  const times: number[] = [];
  let submitted = 0;
  let running = true;
  const submit = async () => {
    while (submitted < count) {
      submitted++;
      const start = performance.timeOrigin + performance.now();
      const key = await send(api);
      const end = await new Promise<number>((ended) => waiting.set(key, { since: start, ended }));
      times.push(end - start);
    }
  };
  const look = async () => {
    while (running) {
      // Starting at the oldest open execution keeps the reader's own cost small. It comes first, so that others never push it out of the page.
      const [oldest] = waiting.values();
      const from = new Date((oldest?.since ?? Date.now()) - 200).toISOString();
      const path = `/v1/executions?limit=${AT_ONCE}&include_attributes=${['end_timestamp', ...attributes].join(',')}&sort_asc=timestamp&timestamp_gt=${from}${filter ? `&${filter}` : ''}`;
      const { body } = await api.call('GET', path);
      for (const execution of body as Listed[]) {
        const { end_timestamp: end } = execution;
        if (end === undefined) continue;
        const key = keyOf(execution);
        waiting.get(key)?.ended(Date.parse(end) + Number(end.slice(-4, -1)) / 1000);
        waiting.delete(key);
      }
      await new Promise((resolve) => setTimeout(resolve, submitters === 1 ? lookMs : pollInterval(times)));
    }
  };
  const looking = look();
  await Promise.all(Array.from({ length: submitters }, submit));
  running = false;
  await looking;
  return times;
}

/** @param times milliseconds of the executions so far */
function pollInterval(times: readonly number[]): number {
  const latest = times.slice(-LATEST);
  const mean = latest.reduce((sum, time) => sum + time, 0) / latest.length;
  return Number.isNaN(mean)
    ? LOOK_MS.least
    : Math.min(LOOK_MS.most, Math.max(LOOK_MS.least, mean / LOOKS_PER_EXECUTION));
}
