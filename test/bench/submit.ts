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
/** A single submitter is idle while it waits, so its reader polls more often, but only once its execution has probably ended. */
const LOOK_ALONE_MS = 2;
/** How long an execution probably takes, by the mean of the latest ones. */
const PROBABLY = 1.5;
/**
 * Several submitters wait for the next poll in addition to their executions. With an interval in proportion to these,
 * the reader costs the same per execution on a fast system and a slow one: an eighth of a list with 20 submitters.
 */
const LOOK_MS = { least: 4, most: 500 };
const LOOKS_PER_EXECUTION = 2;
const LATEST = 20;
/** How much earlier than its submission the start of an execution may appear, because of another clock. */
const MARGIN_MS = 20;
/** After this time, the bench fails instead of waiting forever. */
const LONGEST_MS = 600_000;

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
  const pauseMs = () => {
    if (submitters > 1) return Math.min(LOOK_MS.most, Math.max(LOOK_MS.least, meanOf(times) / LOOKS_PER_EXECUTION));
    const [alone] = waiting.values();
    const endMs = (alone?.since ?? 0) + PROBABLY * meanOf(times);
    return Math.max(lookMs, endMs - performance.timeOrigin - performance.now());
  };
  const look = async () => {
    while (running) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs()));
      const [oldest] = waiting.values();
      if (oldest === undefined) continue;
      for await (const execution of startedAfter(api, from(oldest), attributes, filter)) {
        const { end_timestamp: end } = execution;
        if (end === undefined) continue;
        const key = keyOf(execution);
        waiting.get(key)?.ended(Date.parse(end) + Number(end.slice(-4, -1)) / 1000);
        waiting.delete(key);
      }
    }
  };
  await Promise.all([
    look(),
    Promise.all(Array.from({ length: submitters }, submit)).finally(() => {
      running = false;
    }),
  ]);
  return times;
}

/**
 * Where the reader starts: at the oldest open execution, which keeps its cost small. The longer that execution is
 * missing, the earlier the start, in case the clock of the other system is behind.
 */
function from({ since }: Waiting): string {
  const now = Date.now();
  if (now - since > LONGEST_MS) throw new Error(`An execution has not ended within ${LONGEST_MS / 1000} s.`);
  return new Date(since - Math.max(MARGIN_MS, now - since)).toISOString();
}

/** The oldest first, page by page, so that a fast system cannot push an execution out of what is read. */
async function* startedAfter(
  api: ApiCaller,
  from: string,
  attributes: readonly string[],
  filter = '',
): AsyncGenerator<Listed> {
  const query = `include_attributes=${['end_timestamp', ...attributes].join(',')}&sort_asc=timestamp&timestamp_gt=${from}&${filter}`;
  for (let offset = 0; ; offset += AT_ONCE) {
    const { status, body } = await api.call('GET', `/v1/executions?limit=${AT_ONCE}&offset=${offset}&${query}`);
    if (status !== 200) throw new Error(`the list of executions was refused with ${status}: ${JSON.stringify(body)}`);
    const page = body as Listed[];
    yield* page;
    if (page.length < AT_ONCE) return;
  }
}

/** The mean of the latest times; 0 without any. */
function meanOf(times: readonly number[]): number {
  const latest = times.slice(-LATEST);
  return latest.reduce((sum, time) => sum + time, 0) / Math.max(1, latest.length);
}
