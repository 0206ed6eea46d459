import { microsToIso, type Micros } from '@switchyard/base';
import type { SensorStateRecord, SensorTypeRecord } from '@switchyard/model';
import { Type } from '@sinclair/typebox';

/** A sensor as stored, with how it goes, if it ever ran. */
export type SensorWithState = SensorTypeRecord & { running?: SensorStateRecord | undefined };

export const SENSOR_ATTRIBUTES: readonly string[] = [
  'id',
  'ref',
  'uid',
  'name',
  'pack',
  'description',
  'artifact_uri',
  'entry_point',
  'enabled',
  'trigger_types',
  'poll_interval',
  'metadata_file',
  'state',
];

const time = Type.String({ format: 'date-time' });

const stateSchema = Type.Object({
  name: Type.String({ description: 'starting, running, waiting, blocked, finished or stopped' }),
  restarts: Type.Integer({ description: 'Since its container has it' }),
  host: Type.Optional(Type.String({ description: 'Where its container runs' })),
  pid: Type.Optional(Type.Integer()),
  started_at: Type.Optional(time),
  next_start_at: Type.Optional(time),
  reason: Type.Optional(Type.String({ description: 'Why it is blocked' })),
  last_exit: Type.Optional(
    Type.Object({
      exit_code: Type.Union([Type.Integer(), Type.Null()]),
      signal: Type.Union([Type.String(), Type.Null()]),
      at: time,
      reason: Type.Optional(Type.String()),
    }),
  ),
});

export const sensorSchema = Type.Object({ id: Type.String(), ref: Type.String(), state: Type.Optional(stateSchema) });

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
