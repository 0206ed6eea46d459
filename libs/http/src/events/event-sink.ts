/** One reader of server-sent events. */
export interface EventSink {
  /**
   * Queues one frame. A string is sent unchanged, other data as JSON in one line.
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
