import type { DataLimits } from '@switchyard/base';
import type { ParameterDefinitions, RunnerTypeRecord } from '@switchyard/model';
import type { ProcessIdentity } from '@switchyard/subprocess';
import type { Logger } from '@switchyard/telemetry';

/** A runner's manifest, as `GET /v1/runnertypes` shows it (without the ids that the store adds). */
export type RunnerDeclaration = Omit<RunnerTypeRecord, '_id' | 'uid' | 'description'> & { description: string };

/**
 * A kind of action. `run` starts work and returns at once; it never throws. An instance serves any number of runs at
 * the same time.
 */
export interface RunnerPlugin {
  readonly manifest: RunnerDeclaration;
  /** True when runs start processes, which may call the API: each gets its own token. */
  readonly startsProcess: boolean;
  /** True when most of these processes end soon without a call of the API: their token is only stored if they do not. */
  readonly rarelyCallsApi?: boolean;
  run(request: RunRequest, abilities: RunAbilities): RunHandle;
  /** Releases what it keeps between runs, when its service stops. A later run starts it again. */
  close?(): Promise<void>;
}

/** A run to start. Parameters are rendered, cast and validated. */
export interface RunRequest {
  readonly executionId: string;
  readonly liveactionId: string;
  readonly action: {
    readonly ref: string;
    readonly pack: string;
    readonly name: string;
    readonly entry_point: string;
    readonly parameters: ParameterDefinitions;
  };
  readonly runnerParameters: Readonly<Record<string, unknown>>;
  readonly actionParameters: Readonly<Record<string, unknown>>;
  /** Absolute path of the action's pack. */
  readonly packDirectory?: string;
  /** Environment variables of every action, see `actionEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly context: Readonly<Record<string, unknown>>;
}

export type OutputType = 'stdout' | 'stderr' | 'output';

/** What a runner may use from its service. */
export interface RunAbilities {
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
  readonly config: RunnerSettings;
  /** Receives output as it arrives. A returned promise pauses the writing process while pending. */
  output(type: OutputType, chunk: Buffer | string): void | Promise<void>;
  /**
   * Reports a started process, so that it can be killed when this service dies. A rejection (the execution now
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
  /** Publishes to listeners of the event stream. Nothing is stored. */
  announce(route: string, payload: unknown): Promise<void>;
}

export interface RunnerSettings {
  /** Option `system_user.user`: commands run as this user, see `UserAccess`. */
  readonly systemUser: string;
  /** How much of each output stream the result keeps. */
  readonly maxOutputBytes: number;
  /** Limits for values in a result; larger values stay text. */
  readonly data: DataLimits;
  /** The environment of the service, from which `serviceEnvironment` has removed the service's own options. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds between SIGTERM and SIGKILL. Default: 5 seconds. */
  readonly graceMs?: number;
}

export interface RunHandle {
  /** Never rejects: a failure is a result too. */
  readonly result: Promise<RunResult>;
  /** Stops the work and everything it started. Has no effect when called again or after the end. */
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
