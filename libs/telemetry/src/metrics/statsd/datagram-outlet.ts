import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { SECOND_MS } from '@switchyard/base';

/** Takes lines of text. Never throws. */
export interface LineOutlet {
  send(line: string): void;
}

export interface DatagramOutlet extends LineOutlet {
  /** Sends what is left, waiting a second at most. */
  close(): Promise<void>;
}

export interface DatagramOptions {
  host: string;
  port: number;
  onError: (error: Error) => void;
}

/** Fits into one frame on any network (the statsd manual's advice). */
const DATAGRAM_BYTES = 1432;
const FLUSH_MS = 100;
/** Datagrams that may wait. Beyond, measurements are dropped: the receiver's name server may not answer. */
const MOST_WAITING = 256;
const LAST_WORDS_MS = SECOND_MS;

/**
 * Sends lines over UDP, as many as fit into one datagram. One datagram is under way at a time, so that a name that
 * cannot be resolved occupies one thread and not all of them.
 */
export function datagramOutlet({ host, port, onError }: DatagramOptions): DatagramOutlet {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  socket.on('error', onError);
  const full: string[] = [];
  let open = '';
  let busy = false;
  let timer: NodeJS.Timeout | undefined;
  let onIdle: (() => void) | undefined;

  const pack = () => {
    if (open !== '' && full.length < MOST_WAITING) full.push(open);
    open = '';
  };
  const pump = () => {
    const datagram = busy ? undefined : full.shift();
    if (datagram === undefined) {
      if (!busy) onIdle?.();
      return;
    }
    busy = true;
    socket.send(datagram, port, host, (error) => {
      busy = false;
      if (error) onError(error);
      pump();
    });
    socket.unref();
  };
  const flush = () => {
    timer = undefined;
    pack();
    pump();
  };
  return {
    send(line) {
      if (open.length + line.length >= DATAGRAM_BYTES) {
        pack();
        pump();
      }
      open = open === '' ? line : `${open}\n${line}`;
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    async close() {
      clearTimeout(timer);
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, LAST_WORDS_MS);
        onIdle = () => {
          clearTimeout(late);
          resolve();
        };
        flush();
      });
      full.length = 0;
      socket.close();
    },
  };
}
