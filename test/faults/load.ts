import type { ApiCaller } from '../system/api-caller';

const SUBMITTERS = 6;

/** The requests that the load has sent so far. */
export interface ExecutionLoad {
  /** Ids of executions that the API accepted. */
  accepted: Set<string>;
  /** Ends the load after this many more accepted requests. */
  endAfter(requests: number): void;
  stop(): Promise<void>;
}

/** Commands that record their start and end, some with descendants in a separate session. */
function command(journal: string, random: () => number, number: number): string {
  const pause = (random() * 0.4).toFixed(2);
  const line = (word: string) => `echo "${word} $SVC_ACTION_EXECUTION_ID" >> ${journal}`;
  const stray = number % 5 === 0 ? 'setsid sleep 30 & ' : '';
  return `${line('start')}; ${stray}sleep ${pause}; ${line('end')}${stray === '' ? '' : '; kill $!'}`;
}

/** A command, or every third time a noop. */
export const executionJob = (journal: string, random: () => number, number: number) =>
  number % 3 === 0
    ? { action: 'core.noop', parameters: {} }
    : { action: 'core.local', parameters: { cmd: command(journal, random, number) } };

/** @param pauseMs the longest pause between two requests of a submitter */
export function startLoad(api: ApiCaller, journal: string, random: () => number, pauseMs: number): ExecutionLoad {
  const accepted = new Set<string>();
  let running = true;
  let most = Infinity;
  let number = 0;
  const submit = async () => {
    while (running && accepted.size < most) {
      number++;
      const job = executionJob(journal, random, number);
      try {
        const { status, body } = await api.call('POST', '/v1/executions', job);
        if (status === 201) accepted.add((body as { id: string }).id);
      } catch {
        // The connection broke with the process, so the request does not count as accepted.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await new Promise((resolve) => setTimeout(resolve, random() * pauseMs));
    }
  };
  const submitters = Array.from({ length: SUBMITTERS }, submit);
  return {
    accepted,
    endAfter(requests) {
      most = accepted.size + requests;
    },
    async stop() {
      running = false;
      await Promise.all(submitters);
    },
  };
}
