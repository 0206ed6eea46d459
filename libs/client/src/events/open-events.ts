import { ConnectionError } from '../api-error';
import { connectionReason } from '../transport/answer';
import type { ApiCall } from '../transport/call';
import type { ApiTransport } from '../transport/transport';

/** An open connection to a stream of events. */
export interface OpenEvents extends AsyncIterable<RawEvent> {
  close(): void;
}

/**
 * Opens a stream. Resolves once the server has responded: no event after that moment is missed. Iterating throws
 * ConnectionError if the connection breaks, and ends when the server ends it or `close` is called.
 */
export async function openEvents(
  transport: ApiTransport,
  call: Pick<ApiCall, 'path' | 'query' | 'signal'>,
): Promise<OpenEvents> {
  const closing = new AbortController();
  const signal = call.signal ? AbortSignal.any([closing.signal, call.signal]) : closing.signal;
  const response = await transport.open({ ...call, service: 'stream', method: 'GET', signal });
  const body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = response.body ?? [];
  return {
    close: () => closing.abort(),
    async *[Symbol.asyncIterator]() {
      const parse = createEventParser();
      const decoder = new TextDecoder();
      try {
        for await (const bytes of body) yield* parse(decoder.decode(bytes, { stream: true }));
      } catch (error) {
        if (!signal.aborted) throw new ConnectionError('the event stream', connectionReason(error), error);
      } finally {
        closing.abort();
      }
    },
  };
}

/** One event of a stream, unparsed. */
export interface RawEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Parses server-sent events from chunks of text by the rules of the HTML standard. Ignores comments, keep-alive lines, and
 * `id` and `retry`, which these services do not use.
 */
export function createEventParser(): (piece: string) => RawEvent[] {
  let rest = '';
  let event = '';
  let data: string[] = [];
  const takeLine = (line: string): RawEvent[] => {
    if (line === '') {
      const ready = data.length > 0 ? [{ event: event || 'message', data: data.join('\n') }] : [];
      event = '';
      data = [];
      return ready;
    }
    const [, field, value = ''] = /^([^:]*)(?::[ ]?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
    return [];
  };
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    return lines.flatMap(takeLine);
  };
}
