import type { Call } from '../transport/call';
import type { Transport } from '../transport/transport';
import { ConnectionError } from '../api-error';
import { connectionReason } from '../transport/connection-reason';
import { createEventParser, type RawEvent } from './event-parser';

/** An open connection to a stream of events. */
export interface OpenEvents extends AsyncIterable<RawEvent> {
  close(): void;
}

/**
 * Opens a stream; resolves once the server has answered, so that nothing after that moment is missed. Iterating throws
 * ConnectionError when the connection breaks, and ends when the server ends it or `close` is called.
 */
export async function openEvents(
  transport: Transport,
  call: Pick<Call, 'path' | 'query' | 'signal'>,
): Promise<OpenEvents> {
  const closing = new AbortController();
  const signal = call.signal ? AbortSignal.any([closing.signal, call.signal]) : closing.signal;
  const response = await transport.open({ ...call, service: 'stream', method: 'GET', signal });
  return {
    close: () => closing.abort(),
    async *[Symbol.asyncIterator]() {
      const parse = createEventParser();
      const decoder = new TextDecoder();
      try {
        for await (const bytes of response.body ?? [])
          yield* parse(decoder.decode(bytes as Uint8Array, { stream: true }));
      } catch (error) {
        if (!signal.aborted) throw new ConnectionError('the event stream', connectionReason(error), error);
      } finally {
        closing.abort();
      }
    },
  };
}
