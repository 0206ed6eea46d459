import type { ApiTransport } from '../transport/transport';
import { answerOf, readableRecords, type PackContent, type ReadableRecords } from './records';

export interface Sensor extends PackContent {
  enabled: boolean;
  artifact_uri: string;
  entry_point: string;
  trigger_types: string[];
  /** Seconds. */
  poll_interval?: number;
  metadata_file: string;
  /** Its process, if it has ever run. */
  state?: SensorState;
}

export interface SensorState {
  /** starting, running, waiting, blocked, finished or stopped. */
  name: string;
  restarts: number;
  host?: string;
  pid?: number;
  started_at?: string;
  next_start_at?: string;
  reason?: string;
  last_exit?: { exit_code: number | null; signal: string | null; at: string; reason?: string };
}

export interface Sensors extends ReadableRecords<Sensor> {
  setEnabled(sensor: Sensor, enabled: boolean): Promise<Sensor>;
}

const PATH = ['sensortypes'];

export const createSensors = (transport: ApiTransport): Sensors => ({
  ...readableRecords<Sensor>(transport, PATH),
  setEnabled: ({ id, ref }, enabled) => answerOf(transport, 'PUT', [...PATH, id], { id, ref, enabled }),
});
