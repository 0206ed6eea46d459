import type { Transport } from '../transport/transport';
import { readAll, type ListQuery } from './list-query';

export interface Sensor {
  id: string;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  artifact_uri: string;
  entry_point: string;
  trigger_types: string[];
  /** Seconds. */
  poll_interval?: number;
  metadata_file: string;
  /** How it goes, if it ever ran. */
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

export interface Sensors {
  list(query?: ListQuery): Promise<Sensor[]>;
  /** @throws ApiError with status 404 when there is none */
  get(refOrId: string): Promise<Sensor>;
  setEnabled(sensor: Sensor, enabled: boolean): Promise<Sensor>;
}

const PATH = ['sensortypes'];

export const createSensors = (transport: Transport): Sensors => ({
  list: (query = {}) => readAll<Sensor>(transport, PATH, query),
  get: async (refOrId) =>
    (await transport.json<Sensor>({ service: 'api', method: 'GET', path: [...PATH, refOrId] })).body,
  async setEnabled({ id, ref }, enabled) {
    const body = { id, ref, enabled };
    return (await transport.json<Sensor>({ service: 'api', method: 'PUT', path: [...PATH, id], body })).body;
  },
});
