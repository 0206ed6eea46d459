import type { EventStream } from './event-stream';

/** The event streams of an application, so that a service that stops can end them. */
export interface OpenStreams {
  add(stream: EventStream): void;
  readonly size: number;
  endAll(comment: string): void;
}

export function openStreams(): OpenStreams {
  const streams = new Set<EventStream>();
  return {
    add(stream) {
      streams.add(stream);
      void stream.closed.then(() => streams.delete(stream));
    },
    get size() {
      return streams.size;
    },
    endAll(comment) {
      for (const stream of [...streams]) stream.end(comment);
    },
  };
}
