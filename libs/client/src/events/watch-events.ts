import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, SECOND_MS, type Backoff } from '@switchyard/base';
import { ApiError } from '../api-error';
import type { ApiTransport } from '../transport/transport';
import { openEvents, type OpenEvents } from './open-events';

export interface EventQuery {
  /** Names or shell patterns, such as `st2.execution__*`. */
  readonly events?: readonly string[] | undefined;
  readonly actionRefs?: readonly string[] | undefined;
  readonly executionIds?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each connect. Events between two connections are lost. */
  readonly onConnected?: (() => void) | undefined;
}

/** `data` is the parsed body, such as an execution, a live action or an announcement. */
export interface ClientEvent {
  readonly event: string;
  readonly data: unknown;
}

const RECONNECT: Backoff = { initialMs: SECOND_MS / 2, factor: 2, maxMs: 30 * SECOND_MS };

/**
 * Events as they happen, until the caller stops reading or the signal aborts. Reconnects with increasing delays after a
 * broken connection. An error response (ApiError) ends it, and so does a failure of the first connection.
 */
export async function* watchEvents(transport: ApiTransport, query: EventQuery = {}): AsyncGenerator<ClientEvent, void> {
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

/** Bodies are JSON, except for the two apostrophes in the final event of an output stream. */
export function parsedEvent({ event, data }: { event: string; data: string }): ClientEvent {
  try {
    return { event, data: JSON.parse(data) as unknown };
  } catch {
    return { event, data };
  }
}
