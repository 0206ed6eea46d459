import { microsToIso, type Micros } from '@switchyard/base';
import type { SensorStateRecord, SensorTypeRecord } from '@switchyard/model';

/** A sensor as stored, with its state if it ever ran. */
export type SensorWithState = SensorTypeRecord & { running?: SensorStateRecord | undefined };

export function sensorView({ running, ...record }: SensorWithState): Record<string, unknown> {
  const { _id, class_name: _class, content_hash: _content, source_hash: _source, ...shown } = record;
  return { id: _id, ...shown, ...(running ? { state: stateView(running) } : {}) };
}

function stateView(state: SensorStateRecord): Record<string, unknown> {
  const { owner, process, last_exit: exit } = state;
  return {
    name: state.state,
    restarts: state.restarts,
    ...(owner ? { host: owner.host } : {}),
    ...(process ? { pid: process.pid } : {}),
    ...timeOf('started_at', state.started_at),
    ...timeOf('next_start_at', state.next_start_at),
    ...(state.reason === undefined ? {} : { reason: state.reason }),
    ...(exit ? { last_exit: { ...exit, at: microsToIso(exit.at) } } : {}),
  };
}

const timeOf = (name: string, at: Micros | undefined) => (at === undefined ? {} : { [name]: microsToIso(at) });
