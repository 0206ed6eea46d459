import type { ServerResponse } from 'node:http';
import { MIB, SECOND_MS, deferred } from '@switchyard/base';
import { eventFrame } from './event-frame';
import type { EventSink } from './event-sink';

export interface EventStreamSettings {
  /** Blank lines are sent after so much silence. */
  readonly heartbeatMs: number;
  /** A reader with more than this waiting for it is dropped. */
  readonly bufferBytes: number;
  /** Called when a reader is dropped. */
  readonly onDropped: () => void;
}

export const DEFAULT_HEARTBEAT_MS = 25 * SECOND_MS;
export const DEFAULT_BUFFER_BYTES = MIB;
/** How long a dropped reader may take to read what is left for it, with the comment that tells why. */
const LAST_WORDS_MS = 5 * SECOND_MS;

export interface EventStream extends EventSink {
  /** True once the head has been sent: from then on an error can only end the stream. */
  readonly opened: boolean;
  /** Ends the response; what is buffered is still sent. */
  end(comment?: string): void;
}

/**
 * States: new → open (first event, or `open`) → closed. Closed is entered when the reader goes away, when it is too slow
 * (more than `bufferBytes` waiting), when the service stops, or when its route is done.
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
  const write = (text: string) => {
    if (abort.signal.aborted) return false;
    response.write(text);
    timer?.refresh();
    if (response.writableLength <= settings.bufferBytes) return true;
    settings.onDropped();
    end('dropped: events were read too slowly');
    return false;
  };
  const end = (comment?: string) => {
    if (comment !== undefined && !abort.signal.aborted) {
      // Without its head the reader would take it for something else, and not come again.
      open();
      response.write(`: ${comment}\n\n`);
    }
    close();
    response.end();
    if (!response.writableFinished) setTimeout(() => response.destroy(), LAST_WORDS_MS).unref();
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
    return write(eventFrame(event));
  };
  const drained = async () => {
    if (abort.signal.aborted || !response.writableNeedDrain) return;
    await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed.promise]);
  };
  return {
    send,
    drained,
    open,
    end,
    signal: abort.signal,
    closed: closed.promise,
    get opened() {
      return opened;
    },
  };
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=UTF-8',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};
