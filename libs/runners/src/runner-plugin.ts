import type { DataLimits } from '@switchyard/base';
import type { Definitions, RunnerTypeRecord } from '@switchyard/model';
import type { ProcessIdentity } from '@switchyard/subprocess';
import type { Logger } from '@switchyard/telemetry';

/** A runner's manifest, as `GET /v1/runnertypes` shows it (without the ids that the store adds). */
export type RunnerType = Omit<RunnerTypeRecord, '_id' | 'uid' | 'description'> & { description: string };

/**
 * A kind of action. `run` starts work and returns at once; it never throws. An instance serves any number of runs at
 * the same time.
 */
export interface RunnerPlugin {
  readonly manifest: RunnerType;
  /** Its runs are processes, which may call the API: each gets a token of its own. */
  readonly startsProcess: boolean;
  run(request: RunRequest, abilities: RunAbilities): RunHandle;
  /** Lets go of what it keeps between runs: a service that uses it stops. A run that comes later starts it anew. */
  close?(): Promise<void>;
}

/** What is to be run. Parameters are rendered, cast and validated. */
export interface RunRequest {
  readonly executionId: string;
  readonly liveactionId: string;
  readonly action: {
    readonly ref: string;
    readonly pack: string;
    readonly name: string;
    readonly entry_point: string;
    readonly parameters: Definitions;
  };
  readonly runnerParameters: Readonly<Record<string, unknown>>;
  readonly actionParameters: Readonly<Record<string, unknown>>;
  /** Absolute; where the pack of the action lives. */
  readonly packDirectory?: string;
  /** What every action gets, see `actionEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly context: Readonly<Record<string, unknown>>;
}

export type OutputType = 'stdout' | 'stderr' | 'output';

/** What a runner may use of the service that runs it. */
export interface RunAbilities {
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
  readonly config: RunnerSettings;
  /** Takes output as it comes. While a returned promise is pending, the process that writes has to wait. */
  output(type: OutputType, chunk: Buffer | string): void | Promise<void>;
  /**
   * Tells that a process was started, so that it can be ended when this service dies. A rejection (the execution now
   * belongs to another service, or the store is gone) ends the process, and the run becomes abandoned.
   */
  started(process: ProcessIdentity): Promise<void>;
  /**
   * The configuration of the action's pack, rendered, secrets included.
   * @throws Fault `pack.config`
   */
  packConfig(): Promise<Readonly<Record<string, unknown>>>;
  /** Dispatches a built-in trigger, within the trace of the execution; twice within one run counts once. */
  dispatch(trigger: string, payload: Readonly<Record<string, unknown>>): Promise<void>;
  /** Tells listeners of the stream. Nothing is stored. */
  announce(route: string, payload: unknown): Promise<void>;
}

export interface RunnerSettings {
  /** Option `system_user.user`: commands run as this user, see `UserAccess`. */
  readonly systemUser: string;
  /** How much of each output stream the result keeps. */
  readonly maxOutputBytes: number;
  /** What a value in a result may be; what is beyond that stays text. */
  readonly data: DataLimits;
  /** The environment of the service, from which `serviceEnvironment` has taken what is none of an action's business. */
  readonly environment: Readonly<Record<string, string>>;
  /** Time between the polite and the deadly signal, milliseconds; default 5 seconds. */
  readonly graceMs?: number;
}

export interface RunHandle {
  /** Never rejects: a failure is a result too. */
  readonly result: Promise<RunResult>;
  /** Stops the work, with everything it started. Asking again, or after the end, does nothing. */
  cancel(): void;
}

export interface RunResult {
  readonly status: 'succeeded' | 'failed' | 'timeout' | 'canceled' | 'abandoned' | 'pending';
  readonly result: Record<string, unknown>;
  /** Merged into the context of the execution. */
  readonly context?: Record<string, unknown>;
  /** Whether output was cut off. */
  readonly truncated?: boolean;
}
