/** What a service reports on its health and readiness endpoints. */
export interface HealthReport {
  /** False when the process should be restarted. */
  readonly live: boolean;
  /** False when the service should get no work at the moment. */
  readonly ready: boolean;
  /** The results of the checks, each `ok` or a reason. */
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * A named unit that runs in a process. A factory builds it without any I/O. `start` begins its work, `stop` finishes
 * running work and takes no new work, `kill` exits at once. `finished` settles when the service has ended, and rejects
 * when it ended by itself because of an error.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  readonly finished: Promise<void>;
  health(): HealthReport | Promise<HealthReport>;
  /** Whether `stop` waits for work that is running, which must not be cut short because a server does not respond. */
  isFinishingWork?(): boolean;
}
