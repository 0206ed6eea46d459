import type { EventStream } from './event-stream';

/** The event streams of an application, so that a service that stops can end them. */
export interface OpenStreams {
  add(stream: EventStream): void;
  readonly size: number;
  /** Ends those that there are, and at once those that were asked for already and come later. */
  endAll(comment: string): void;
}

export function openStreams(): OpenStreams {
  const streams = new Set<EventStream>();
  let lastWords: string | undefined;
  return {
    add(stream) {
      streams.add(stream);
      void stream.closed.then(() => streams.delete(stream));
      if (lastWords !== undefined) stream.end(lastWords);
    },
    get size() {
      return streams.size;
    },
    endAll(comment) {
      lastWords = comment;
      for (const stream of [...streams]) stream.end(comment);
    },
  };
}
