import type { ServerResponse } from 'node:http';
import { MIB, SECOND_MS, deferred, isFault } from '@switchyard/base';

/** One reader of server-sent events. */
export interface EventSink {
  /**
   * Queues one frame. A string is sent unchanged, and so are bytes, which must be JSON in one line. Other data is sent as such JSON.
   * @returns false if the reader is gone, so the caller can stop sending
   */
  send(event: ServerSentEvent): boolean;
  /** Sends the head of the response and a blank line before the first event. */
  open(): void;
  /**
   * Resolves when the connection has room for more data, or the reader is gone. Code that sends stored events waits for it, so
   * that a slow reader is only dropped because of live events.
   */
  drained(): Promise<void>;
  /**
   * Resolves when the connection has room for this many more bytes, the reader is gone, or some seconds have passed. Code that sends live
   * events waits for it before a large one: several can follow each other faster than any reader reads.
   */
  roomFor(bytes: number): Promise<void>;
  /** Aborted when the reader disconnects or is dropped, or when the service stops. */
  readonly signal: AbortSignal;
  /** Resolves at the same time. */
  readonly closed: Promise<void>;
}

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: unknown;
  readonly id?: string;
}

interface EventStreamSettings {
  /** Interval without events after which a blank line is sent. */
  readonly heartbeatMs: number;
  /** A reader is dropped if more bytes than this wait for it. */
  readonly bufferBytes: number;
  /** Called when a reader is dropped. */
  readonly onDropped: () => void;
}

export const DEFAULT_BUFFER_BYTES = MIB;
/** How long to wait for a reader to read its buffer before a large event. After that the event is sent anyway, which
 * may drop the reader. */
const SLOW_MS = 5 * SECOND_MS;
/** How long a dropped reader has to read the remaining data, which ends with a comment that states the reason. */
const CLOSE_TIMEOUT_MS = 5 * SECOND_MS;

interface EventStream extends EventSink {
  /** Whether the head was sent. After that, an error can only end the stream. */
  readonly opened: boolean;
  /** Ends the response after sending buffered data. */
  end(comment?: string): void;
}

/**
 * States: new → open (first event, or `open`) → closed. A stream is closed when the reader disconnects, when the reader is too slow
 * (more than `bufferBytes` waiting), when the service stops, or when the route finishes.
 */
export function eventStream(response: ServerResponse, settings: EventStreamSettings): EventStream {
  const abort = new AbortController();
  const closed = deferred();
  let opened = false;
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    if (abort.signal.aborted) return;
    clearInterval(timer);
    abort.abort();
    closed.resolve();
  };
  response.on('close', close);
  const write = (...parts: readonly (string | Buffer)[]) => {
    if (abort.signal.aborted) return false;
    // Not corked: a corked response of Node.js may wait for a drain that never comes.
    for (const part of parts) response.write(part);
    timer?.refresh();
    if (response.writableLength <= settings.bufferBytes) return true;
    settings.onDropped();
    end('dropped: events were read too slowly');
    return false;
  };
  const end = (comment?: string) => {
    if (comment !== undefined && !abort.signal.aborted) {
      // Without the head, the reader would not recognize an event stream and would not reconnect.
      open();
      response.write(`: ${comment}\n\n`);
    }
    close();
    response.end();
    if (!response.writableFinished) setTimeout(() => response.destroy(), CLOSE_TIMEOUT_MS).unref();
  };
  const open = () => {
    if (opened || abort.signal.aborted) return;
    opened = true;
    response.writeHead(200, STREAM_HEADERS);
    timer = setInterval(() => write('\n'), settings.heartbeatMs);
    timer.unref();
    write('\n');
  };
  const send: EventSink['send'] = (event) => {
    open();
    return write(...eventFrame(event));
  };
  return {
    send,
    drained: () => drainedOr(closed.promise, response, abort.signal),
    async roomFor(bytes) {
      if (response.writableLength + bytes > settings.bufferBytes)
        await withinSlowMs(drainedOr(closed.promise, response, abort.signal));
    },
    open,
    end,
    signal: abort.signal,
    closed: closed.promise,
    get opened() {
      return opened;
    },
  };
}

/**
 * Ends a stream when its credential has expired or was revoked, or no longer permits it.
 * @param check rejects with a fault of the client if the request would now be refused
 */
export function endWhenRefused(stream: EventStream, check: () => Promise<void>, everyMs: number): void {
  const refuse = (error: unknown) => {
    // If the store is unavailable, nobody is refused.
    if (isFault(error) && error.status < 500) stream.end('closed: the credential no longer permits this');
  };
  const timer = setInterval(() => void check().catch(refuse), everyMs);
  timer.unref();
  void stream.closed.then(() => clearInterval(timer));
}

async function drainedOr(closed: Promise<void>, response: ServerResponse, { aborted }: AbortSignal): Promise<void> {
  if (aborted || !response.writableNeedDrain) return;
  await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed]);
}

async function withinSlowMs(drained: Promise<void>): Promise<void> {
  const slow = deferred();
  const timer = setTimeout(slow.resolve, SLOW_MS);
  await Promise.race([drained, slow.promise]);
  clearTimeout(timer);
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=UTF-8',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** One frame of server-sent events, in parts. Each line of a text becomes a data line, as the standard requires. */
export function eventFrame({ event, data, id }: ServerSentEvent): readonly (string | Buffer)[] {
  const head = [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}\n`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}\n`]),
  ].join('');
  if (Buffer.isBuffer(data)) return [`${head}data: `, data, '\n\n'];
  // JSON has no line breaks to search for, and it may be long.
  const lines = typeof data === 'string' ? data.split(/\r\n|\r|\n/) : [JSON.stringify(data)];
  return [`${head}${lines.map((line) => `data: ${line}\n`).join('')}\n`];
}

const oneLine = (text: string): string => text.replace(/[\r\n]/g, ' ');

/** The open event streams of an application. A service ends them when it stops. */
export interface OpenStreams {
  add(stream: EventStream): void;
  readonly size: number;
  /** Ends all streams, and also those that are added later. */
  endAll(comment: string): void;
}

export function openStreams(): OpenStreams {
  const streams = new Set<EventStream>();
  let endComment: string | undefined;
  return {
    add(stream) {
      streams.add(stream);
      void stream.closed.then(() => streams.delete(stream));
      if (endComment !== undefined) stream.end(endComment);
    },
    get size() {
      return streams.size;
    },
    endAll(comment) {
      endComment = comment;
      for (const stream of [...streams]) stream.end(comment);
    },
  };
}
