/** What a service says about itself on its health and readiness endpoints. */
export interface HealthReport {
  /** False when the process should be restarted. */
  readonly live: boolean;
  /** False when no work should be sent here at the moment. */
  readonly ready: boolean;
  /** What was looked at, each with `ok` or a reason. */
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * A running thing with a name. A factory builds it without any I/O; `start` begins its work, `stop` finishes what is
 * under way and takes nothing new, `kill` leaves at once. `finished` settles when it has ended, and rejects when it
 * ended by itself because of an error.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  readonly finished: Promise<void>;
  health(): HealthReport | Promise<HealthReport>;
}
