import type { Id, Micros } from '@switchyard/base';
import type { ProcessMark } from './execution-record';

export interface SensorTypeRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  /** `file:///…/sensors/x.py`. */
  artifact_uri: string;
  /** Module path and class. */
  entry_point: string;
  class_name: string;
  /** References of the trigger types that it dispatches. */
  trigger_types: string[];
  /** Seconds; of a polling sensor. */
  poll_interval?: number;
  metadata_file: string;
  /** Of what its file said when it was last registered. */
  content_hash?: string;
  /** Of the code that it may use. */
  source_hash?: string;
}

/**
 * `starting`: the process runs, the sensor is not set up yet. `waiting`: it has failed, and will be started again.
 * `blocked`: it cannot be started as things are. `finished`: it has ended and wants no more. `stopped`: nobody runs it.
 */
export type SensorRunState = 'starting' | 'running' | 'waiting' | 'blocked' | 'finished' | 'stopped';

/** The sensor container that runs a sensor. */
export interface SensorOwner {
  instance: Id;
  host: string;
  pid: number;
}

/** How a sensor process has ended. */
export interface SensorExit {
  exit_code: number | null;
  signal: string | null;
  at: Micros;
  reason?: string;
}

/** What has become of a sensor. Only its owner writes it. */
export interface SensorStateRecord {
  /** Reference of the sensor. */
  _id: string;
  state: SensorRunState;
  owner?: SensorOwner;
  process?: ProcessMark;
  /** How often it was started again since its owner has it. */
  restarts: number;
  started_at?: Micros;
  last_exit?: SensorExit;
  next_start_at?: Micros;
  /** Why it is blocked. */
  reason?: string;
}
