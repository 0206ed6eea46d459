/** One reader of server-sent events. */
export interface EventSink {
  /**
   * Queues one frame. `data` is sent as it is when it is a text, as one-line JSON otherwise.
   * @returns false when the reader is gone: then nothing more needs to be sent
   */
  send(event: ServerSentEvent): boolean;
  /** Sends the head of the response, and a blank line, without waiting for a first event. */
  open(): void;
  /**
   * Resolves once the connection has room for more, or the reader is gone. Who sends what is stored waits for it: a reader
   * is dropped only for events that do not wait for him.
   */
  drained(): Promise<void>;
  /** Aborted when the reader went away, was dropped for being too slow, or the service stops. */
  readonly signal: AbortSignal;
  /** Settles at the same moment. */
  readonly closed: Promise<void>;
}

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: unknown;
  readonly id?: string;
}
