import type { ApiCaller } from '../system/api-caller';

const SENDERS = 16;
/** 202: the event is stored. */
const ACCEPTED = 202;

/** A burst of numbered events, which goes on where it was broken off. */
export interface Burst {
  /** Numbers that were answered with 202. */
  readonly answered: ReadonlySet<number>;
  /** Numbers whose connection broke: they may have been stored or not. */
  readonly unanswered: ReadonlySet<number>;
  /** Answers that nobody should get. */
  readonly refusals: readonly string[];
  /** Sends what is left, until there is nothing more or connections break. */
  send(api: ApiCaller, hook: string): Promise<void>;
  /** Resolves once so many were answered. */
  reached(count: number): Promise<void>;
}

/** @param count of the events; their numbers begin at 1 */
export function createBurst(count: number): Burst {
  const answered = new Set<number>();
  const unanswered = new Set<number>();
  const refusals: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let last = 0;
  /** @returns whether the connection is still good */
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
