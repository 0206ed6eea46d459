import type { ApiCaller } from '../system/api-caller';

const SENDERS = 16;
/** 202: the event is stored. */
const ACCEPTED = 202;

/** A burst of numbered events that resumes where it was interrupted. */
export interface Burst {
  /** Numbers that got a 202. */
  readonly answered: ReadonlySet<number>;
  /** Numbers whose connection broke, which may or may not be stored. */
  readonly unanswered: ReadonlySet<number>;
  /** Unexpected responses. */
  readonly refusals: readonly string[];
  /** Sends the remaining events until none are left or connections break. */
  send(api: ApiCaller, hook: string): Promise<void>;
  /** Resolves once the given number has been answered. */
  reached(count: number): Promise<void>;
}

/** @param count the number of events, numbered from 1 */
export function createBurst(count: number): Burst {
  const answered = new Set<number>();
  const unanswered = new Set<number>();
  const refusals: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let last = 0;
  /** @returns whether the connection still works */
  const sendOne = async (api: ApiCaller, hook: string, number: number): Promise<boolean> => {
    try {
      const { status, body } = await api.call('POST', `/v1/webhooks/${hook}`, { number });
      if (status === ACCEPTED) answered.add(number);
      else refusals.push(`event ${number} was answered ${status}: ${JSON.stringify(body)}`);
    } catch {
      unanswered.add(number);
      return false;
    }
    for (const { count: enough, resolve } of waiting) if (answered.size >= enough) resolve();
    return true;
  };
  const sender = async (api: ApiCaller, hook: string): Promise<void> => {
    while (last < count) if (!(await sendOne(api, hook, ++last))) return;
  };
  return {
    answered,
    unanswered,
    refusals,
    send: async (api, hook) => void (await Promise.all(Array.from({ length: SENDERS }, () => sender(api, hook)))),
    reached: (enough) =>
      new Promise((resolve) => (answered.size >= enough ? resolve() : waiting.push({ count: enough, resolve }))),
  };
}
