import type { ApiCaller } from '../system/api-caller';

const SENDERS = 16;
/** 202: the event is stored. */
const ACCEPTED = 202;

/** What came of numbered events. */
export interface SentEvents {
  /** Numbers that got a 202. */
  readonly answered: Set<number>;
  /** Numbers whose connection broke, which may or may not be stored. */
  readonly unanswered: Set<number>;
  /** Unexpected responses. */
  readonly refusals: string[];
}

/** A burst of numbered events that resumes where it was interrupted. */
export interface Burst extends SentEvents {
  /** Sends the remaining events until none are left or connections break. */
  send(api: ApiCaller, hook: string): Promise<void>;
  /** Resolves once the given number has been answered. */
  reached(count: number): Promise<void>;
}

export const noEvents = (): SentEvents => ({ answered: new Set(), unanswered: new Set(), refusals: [] });

/** @returns whether the connection still works */
export async function sendEvent(api: ApiCaller, hook: string, number: number, sent: SentEvents): Promise<boolean> {
  try {
    const { status, body } = await api.call('POST', `/v1/webhooks/${hook}`, { number });
    if (status === ACCEPTED) sent.answered.add(number);
    else sent.refusals.push(`event ${number} was answered ${status}: ${JSON.stringify(body)}`);
    return true;
  } catch {
    sent.unanswered.add(number);
    return false;
  }
}

/** @param count the number of events, numbered from 1 */
export function createBurst(count: number): Burst {
  const sent = noEvents();
  const { answered } = sent;
  const waiting: { count: number; resolve: () => void }[] = [];
  let last = 0;
  const sender = async (api: ApiCaller, hook: string): Promise<void> => {
    while (last < count && (await sendEvent(api, hook, ++last, sent)))
      for (const { count: enough, resolve } of waiting) if (answered.size >= enough) resolve();
  };
  return {
    ...sent,
    send: async (api, hook) => void (await Promise.all(Array.from({ length: SENDERS }, () => sender(api, hook)))),
    reached: (enough) =>
      new Promise((resolve) => (answered.size >= enough ? resolve() : waiting.push({ count: enough, resolve }))),
  };
}
