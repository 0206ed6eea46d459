import { setTimeout as wait } from 'node:timers/promises';
import type { Burst } from '../faults/webhook-burst';
import type { ApiCaller } from '../system/api-caller';

/** 202: the event is stored. */
const ACCEPTED = 202;
const AWAY_MS = 50;

/** Numbered events, one after the other, while processes are replaced. */
export interface EventLoad extends Pick<Burst, 'answered' | 'unanswered' | 'refusals'> {
  stop(): Promise<void>;
}

/** @param pauseMs the longest pause between two events */
export function sendEvents(api: ApiCaller, hook: string, random: () => number, pauseMs: number): EventLoad {
  const answered = new Set<number>();
  const unanswered = new Set<number>();
  const refusals: string[] = [];
  let running = true;
  const sending = (async () => {
    for (let number = 1; running; number++) {
      try {
        const { status, body } = await api.call('POST', `/v1/webhooks/${hook}`, { number });
        if (status === ACCEPTED) answered.add(number);
        else refusals.push(`event ${number} was answered ${status}: ${JSON.stringify(body)}`);
      } catch {
        // The API was being replaced.
        unanswered.add(number);
        await wait(AWAY_MS);
      }
      await wait(random() * pauseMs);
    }
  })();
  return {
    ...{ answered, unanswered, refusals },
    async stop() {
      running = false;
      await sending;
    },
  };
}
