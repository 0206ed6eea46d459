import { Type, type Static } from '@sinclair/typebox';
import { processMark } from './execution';
import {
  described,
  flag,
  isoTime,
  micros,
  oneOfTexts,
  packContent,
  text,
  textOrNull,
  texts,
  whole,
  wholeOrNull,
} from './fields';

export const sensorTypeRecordSchema = Type.Object({
  ...packContent,
  enabled: flag,
  artifact_uri: described(text, 'file:///…/sensors/x.py'),
  entry_point: described(text, 'Module path and class'),
  class_name: text,
  trigger_types: described(texts, 'References of the trigger types that it dispatches'),
  poll_interval: Type.Optional(Type.Number({ description: 'Seconds; of a polling sensor' })),
  metadata_file: text,
  /** Hash of its file at the last registration. */
  content_hash: Type.Optional(text),
  /** Hash of the code that it may use. */
  source_hash: Type.Optional(text),
});
export type SensorTypeRecord = Static<typeof sensorTypeRecordSchema>;

const RUN_STATES = ['starting', 'running', 'waiting', 'blocked', 'finished', 'stopped'] as const;
/**
 * `starting`: the process runs, but the sensor is not set up yet. `waiting`: it failed and will be restarted. `blocked`: it
 * cannot start at present. `finished`: it has ended and needs no restart. `stopped`: no instance runs it.
 */
export type SensorRunState = (typeof RUN_STATES)[number];

/** The sensor container that runs a sensor. */
const sensorOwner = Type.Object({ instance: text, host: text, pid: whole });
export type SensorOwner = Static<typeof sensorOwner>;

/** How a sensor process ended. */
const sensorExit = Type.Object({
  exit_code: wholeOrNull,
  signal: textOrNull,
  at: micros,
  reason: Type.Optional(text),
});
export type SensorExit = Static<typeof sensorExit>;

/** The state of a sensor. Only its owner writes it. */
export const sensorStateRecordSchema = Type.Object({
  /** Reference of the sensor. */
  _id: text,
  state: oneOfTexts(RUN_STATES),
  owner: Type.Optional(sensorOwner),
  process: Type.Optional(processMark),
  /** The number of restarts by its current owner. */
  restarts: whole,
  started_at: Type.Optional(micros),
  last_exit: Type.Optional(sensorExit),
  next_start_at: Type.Optional(micros),
  /** Why it is blocked. */
  reason: Type.Optional(text),
});
export type SensorStateRecord = Static<typeof sensorStateRecordSchema>;

const LOG_SOURCES = ['stdout', 'stderr', 'logger', 'container'] as const;
/** `logger`: written with the logger of the sensor. `container`: what the container says about the process. */
export type SensorLogSource = (typeof LOG_SOURCES)[number];

const sensorLogLine = Type.Object({
  at: micros,
  source: oneOfTexts(LOG_SOURCES),
  /** Of a line of its logger. */
  level: Type.Optional(text),
  text,
});
export type SensorLogLine = Static<typeof sensorLogLine>;

/** Lines that a sensor wrote within about a second, with known secrets masked. */
export const sensorLogRecordSchema = Type.Object({
  _id: text,
  /** Reference of the sensor. */
  sensor: text,
  /** When they were stored; later for each record of a sensor. */
  at: micros,
  count: whole,
  lines: Type.Array(sensorLogLine),
});
export type SensorLogRecord = Static<typeof sensorLogRecordSchema>;

/** The last lines of a sensor. */
export const sensorLogAnswer = Type.Object(
  {
    lines: Type.Array(
      Type.Object(
        {
          timestamp: isoTime,
          source: oneOfTexts(LOG_SOURCES),
          level: Type.Optional(described(text, 'Of a line of its logger')),
          text,
        },
        { title: 'SensorLogLine' },
      ),
    ),
    next: described(text, 'The value of `after` for the lines that follow'),
  },
  { title: 'SensorLog' },
);
export type SensorLog = Static<typeof sensorLogAnswer>;

const stateAnswer = Type.Object(
  {
    name: oneOfTexts(RUN_STATES),
    restarts: described(whole, 'Since it was assigned to its container'),
    host: Type.Optional(described(text, 'The host of its container')),
    pid: Type.Optional(whole),
    started_at: Type.Optional(isoTime),
    next_start_at: Type.Optional(isoTime),
    reason: Type.Optional(described(text, 'Why it is blocked')),
    last_exit: Type.Optional(Type.Object({ ...sensorExit.properties, at: isoTime })),
  },
  { title: 'SensorState' },
);
export type SensorState = Static<typeof stateAnswer>;

const {
  _id,
  class_name: _class,
  content_hash: _content,
  source_hash: _source,
  ...shown
} = sensorTypeRecordSchema.properties;
/** A sensor as the API shows it. */
export const sensorTypeAnswer = Type.Object(
  { id: _id, ...shown, state: Type.Optional(stateAnswer) },
  { title: 'Sensor' },
);
export type Sensor = Static<typeof sensorTypeAnswer>;
