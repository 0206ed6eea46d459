/** What went over the wire, with credentials and fields of secret names masked. */
export interface Observer {
  request?(request: ObservedRequest): void;
  answer?(answer: ObservedAnswer): void;
}

export interface ObservedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ObservedAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
  /** Absent for streams. */
  readonly body?: unknown;
}
