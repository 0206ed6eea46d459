import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, ApiCaller } from '../../system/api-caller';
import { recoveryLimitMs } from '../patience';
import type { Site } from '../site/site';

/** A kind of work that goes on while faults happen. */
export interface Load {
  readonly name: string;
  /** Content of the pack of the loads, as files by their paths. Commands record in the journal what they do. */
  readonly files?: (journal: string) => Readonly<Record<string, unknown>>;
  /** Called once the pack is registered. */
  open(work: Work): Promise<OpenLoad>;
}

export interface OpenLoad {
  /** Does one piece of work. Throws if the system does not answer. Absent if the load goes on by itself. */
  readonly once?: (number: number) => Promise<void>;
  /** How many pieces are done at a time, and the pauses between them as a multiple of the shortest ones. */
  readonly pace?: { readonly atATime: number; readonly pauses: number };
  /** The reference of a rule that runs executions all the time. */
  readonly endlessRule?: string;
  /** What is wrong after a round, in which everything has ended. @param jumped whether a clock has jumped in it */
  problems(jumped: boolean): Promise<string[]>;
}

/** What the loads of a run share. */
export interface Work {
  readonly site: Site;
  readonly random: () => number;
  readonly journal: string;
  /** Ids of executions that the API accepted in this round. */
  readonly accepted: Set<string>;
}

/** The pack of the loads. */
export const PACK = 'fault_loads';

/** Requests an execution. @returns its id, or undefined if it was refused */
export async function requested({ site, accepted }: Work, action: string, parameters: object = {}) {
  const { status, body } = await site.api.call('POST', '/v1/executions', { action, parameters });
  if (status !== 201) return undefined;
  const { id } = body as { id: string };
  accepted.add(id);
  return id;
}

/** A command that records its start and its end, and does something in between. */
export const recorded = (journal: string, act: string): string => {
  const line = (word: string) => `echo "${word} $SVC_ACTION_EXECUTION_ID" >> ${journal}`;
  return `${line('start')}; ${act}; ${line('end')}`;
};

/** An action of the pack that runs a fixed command. */
export const commandAction = (name: string, cmd: string): object => ({
  name,
  runner_type: 'local-shell-cmd',
  enabled: true,
  parameters: { cmd: { default: cmd, immutable: true } },
});

/** The answer to a request that has to work now, since no fault is active. */
export async function expectAnswer(api: ApiCaller, path: string): Promise<Answer['body']> {
  const { status, body } = await api.call('GET', path);
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

const LOOK_MS = 300;

/** Repeats a check until it finds no problems, or until the system has had its time to recover. */
export async function untilSound(check: () => Promise<string[]>): Promise<string[]> {
  const [start, limitMs] = [performance.now(), recoveryLimitMs()];
  for (;;) {
    const problems = await check();
    if (problems.length === 0 || performance.now() - start > limitMs) return problems;
    await wait(LOOK_MS);
  }
}
