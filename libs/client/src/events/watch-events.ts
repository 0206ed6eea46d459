import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, SECOND_MS, type Backoff } from '@switchyard/base';
import { ApiError } from '../api-error';
import type { Transport } from '../transport/transport';
import { openEvents, type OpenEvents } from './open-events';

export interface EventQuery {
  /** Names or shell patterns, such as `st2.execution__*`. */
  readonly events?: readonly string[] | undefined;
  readonly actionRefs?: readonly string[] | undefined;
  readonly executionIds?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each connection: what happened between two of them was not seen. */
  readonly onConnected?: (() => void) | undefined;
}

/** `data` is the parsed body: an execution, a live action, an announcement, … */
export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

const RECONNECT: Backoff = { initialMs: SECOND_MS / 2, factor: 2, maxMs: 30 * SECOND_MS };

/**
 * Events as they happen, for as long as they are read or until the signal. Connects again, with growing waits, after the
 * connection broke; an answer of the server that says no (ApiError) ends it, and so does a first connection that fails.
 */
export async function* watchEvents(transport: Transport, query: EventQuery = {}): AsyncGenerator<StreamEvent, void> {
  for (let failures = 0, connected = false; !query.signal?.aborted;) {
    let stream: OpenEvents | undefined;
    try {
      stream = await openEvents(transport, eventCall(query));
      connected = true;
      query.onConnected?.();
      for await (const event of stream) {
        failures = 0;
        yield parsedEvent(event);
      }
    } catch (error) {
      if (query.signal?.aborted) return;
      if (!connected || error instanceof ApiError) throw error;
    } finally {
      stream?.close();
    }
    failures += 1;
    await sleep(backoffMs(RECONNECT, failures), undefined, { signal: query.signal }).catch(() => undefined);
  }
}

const eventCall = ({ events, actionRefs, executionIds, signal }: EventQuery) => ({
  path: ['stream'],
  query: { events, action_refs: actionRefs, execution_ids: executionIds },
  signal,
});

/** Bodies are JSON but for the two apostrophes that come with the end of an output stream. */
export function parsedEvent({ event, data }: { event: string; data: string }): StreamEvent {
  try {
    return { event, data: JSON.parse(data) as unknown };
  } catch {
    return { event, data };
  }
}
