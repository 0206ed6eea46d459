import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { SECOND_MS } from '@switchyard/base';

/** Sends lines of text. Never throws. */
export interface LineOutlet {
  send(line: string): void;
}

export interface DatagramOutlet extends LineOutlet {
  /** Sends pending lines, for a second at most. */
  close(): Promise<void>;
}

export interface DatagramOptions {
  host: string;
  port: number;
  onError: (error: Error) => void;
}

/** Fits into one frame on any network, as the statsd manual recommends. */
const DATAGRAM_BYTES = 1432;
const FLUSH_MS = 100;
/** Maximum number of waiting datagrams. Further measurements are dropped, for example while a name server does not answer. */
const MOST_WAITING = 256;
const CLOSE_TIMEOUT_MS = SECOND_MS;

/**
 * Sends lines over UDP, as many per datagram as fit. It sends one datagram at a time, so that a name that cannot be resolved blocks
 * one thread of the pool instead of all.
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
        const late = setTimeout(resolve, CLOSE_TIMEOUT_MS);
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
