import type { ApiCaller } from '../system/api-caller';

export interface Job {
  action: string;
  parameters?: Record<string, unknown>;
}

interface Waiting {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly ended: (end: number) => void;
}

interface Listed {
  id: string;
  end_timestamp?: string;
}

const AT_ONCE = 100;
/** One submitter waits for nothing else, so its reader looks more often. */
const LOOK_ALONE_MS = 2;
const LOOK_MS = 40;

/**
 * Runs jobs, so many at a time, each submitter waiting for the end of its execution before it submits the next. One
 * reader looks at the executions since the oldest of them for all of them; the time of the end is the record's own.
 * @returns milliseconds from submit to end, for each job
 */
export async function runJobs(api: ApiCaller, job: Job, count: number, submitters: number): Promise<number[]> {
  const waiting = new Map<string, Waiting>();
  const times: number[] = [];
  let submitted = 0;
  let running = true;
  const submit = async () => {
    while (submitted < count) {
      submitted++;
      const start = performance.timeOrigin + performance.now();
      const { status, body } = await api.call('POST', '/v1/executions', job);
      if (status !== 201) throw new Error(`the API answered ${status}: ${JSON.stringify(body)}`);
      const end = await new Promise<number>((ended) =>
        waiting.set((body as { id: string }).id, { since: start, ended }),
      );
      times.push(end - start);
    }
  };
  const look = async () => {
    while (running) {
      // The oldest that is waited for: looking no further back keeps the reader's own part small.
      const [oldest] = waiting.values();
      const from = new Date((oldest?.since ?? Date.now()) - 200).toISOString();
      const path = `/v1/executions?limit=${AT_ONCE}&include_attributes=end_timestamp&sort_desc=timestamp&timestamp_gt=${from}`;
      const { body } = await api.call('GET', path);
      for (const { id, end_timestamp: end } of body as Listed[]) {
        if (end === undefined) continue;
        waiting.get(id)?.ended(Date.parse(end) + Number(end.slice(-4, -1)) / 1000);
        waiting.delete(id);
      }
      await new Promise((resolve) => setTimeout(resolve, submitters === 1 ? LOOK_ALONE_MS : LOOK_MS));
    }
  };
  const looking = look();
  await Promise.all(Array.from({ length: submitters }, submit));
  running = false;
  await looking;
  return times;
}
