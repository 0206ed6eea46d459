import { setTimeout as wait } from 'node:timers/promises';
import { noEvents, sendEvent, type SentEvents } from '../faults/webhook-burst';
import type { ApiCaller } from '../system/api-caller';

const AWAY_MS = 50;

/** Numbered events, one after the other, while processes are replaced. */
export interface EventLoad extends SentEvents {
  stop(): Promise<void>;
}

/** @param pauseMs the longest pause between two events */
export function sendEvents(api: ApiCaller, hook: string, random: () => number, pauseMs: number): EventLoad {
  const sent = noEvents();
  let running = true;
  const sending = (async () => {
    for (let number = 1; running; number++) {
      // Without an answer, the API is being replaced.
      if (!(await sendEvent(api, hook, number, sent))) await wait(AWAY_MS);
      await wait(random() * pauseMs);
    }
  })();
  return {
    ...sent,
    async stop() {
      running = false;
      await sending;
    },
  };
}
