import { t } from '@lingui/core/macro';
import { createParser } from 'eventsource-parser';
import { sessionToken } from '../session/session';

/** One server-sent event whose data is JSON. */
export interface StreamedEvent {
  readonly name: string;
  readonly data: unknown;
}

export interface EventReaderOptions {
  /** Path and query of the stream. */
  readonly address: string;
  readonly onEvent: (event: StreamedEvent) => void;
  /** Called whenever the stream is open, the first time and after each interruption. */
  readonly onOpen?: () => void;
  /** Called when the stream breaks, before the next attempt. */
  readonly onLost?: () => void;
  /** Called after the last event. */
  readonly onEnd?: () => void;
}

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 15_000;

/**
 * Reads server-sent events with the token in a header, which `EventSource` cannot send. Reconnects after each
 * interruption, with the last event in `Last-Event-ID` if the server numbers its events.
 * @returns a function that closes the stream
 */
export function readEvents(options: EventReaderOptions): () => void {
  const closing = new AbortController();
  void keepReading(options, closing.signal);
  return () => closing.abort();
}

async function keepReading(options: EventReaderOptions, signal: AbortSignal): Promise<void> {
  const position: Position = { lastId: undefined, ended: false };
  let waitMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    try {
      await readOnce(options, position, signal, () => {
        waitMs = FIRST_RETRY_MS;
      });
    } catch {
      // Reported by `onLost` and retried.
    }
    if (signal.aborted) return;
    if (position.ended) return options.onEnd?.();
    options.onLost?.();
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
  }
}

interface Position {
  lastId: string | undefined;
  /** The server has sent the last event of the stream. */
  ended: boolean;
}

async function readOnce(
  { address, onEvent, onOpen }: EventReaderOptions,
  position: Position,
  signal: AbortSignal,
  opened: () => void,
): Promise<void> {
  const response = await fetch(address, { headers: headersFrom(position), signal });
  if (!response.ok || !response.body) throw new Error(t`The event stream responded with ${response.status}.`);
  opened();
  onOpen?.();
  const parser = createParser({
    onEvent({ event = 'message', data, id }) {
      if (id !== undefined) position.lastId = id;
      if (event === 'EOF') position.ended = true;
      else onEvent({ name: event, data: parsed(data) });
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parser.feed(decoder.decode(part.value, { stream: true }));
  }
}

function headersFrom({ lastId }: Position): Record<string, string> {
  const token = sessionToken();
  return {
    accept: 'text/event-stream',
    ...(token === undefined ? {} : { 'x-auth-token': token }),
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
