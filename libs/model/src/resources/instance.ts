import { Type, type Static } from '@sinclair/typebox';
import { flag, micros, text, texts, whole } from './fields';

/** The keys of a key file: the one that seals, and all that open. Only their ids. */
const knownKeys = Type.Object({ current: text, known: texts });
const instanceKeys = Type.Object({ records: Type.Optional(knownKeys), datastore: Type.Optional(knownKeys) });
export type InstanceKeys = Static<typeof instanceKeys>;

/** Where a service of a process listens. */
const listenAddress = Type.Object({ host: text, port: whole, tls: Type.Optional(flag) });

/** A running service process as seen by the others. Alive while `beat` keeps increasing. */
export const instanceRecordSchema = Type.Object({
  _id: text,
  service: text,
  host: text,
  pid: whole,
  beat: whole,
  started_at: micros,
  /** Action runners: the number of concurrent executions, and their pools. Sensor containers: the group of containers
   * that share sensors. */
  slots: Type.Optional(whole),
  pools: Type.Optional(texts),
  /** Processes: the keys that they have, their services, their version, the newest schema version of the store that they support, and where
   * their services listen. */
  keys: Type.Optional(instanceKeys),
  services: Type.Optional(texts),
  version: Type.Optional(text),
  schema: Type.Optional(whole),
  listens: Type.Optional(Type.Record(text, listenAddress)),
});
export type InstanceRecord = Static<typeof instanceRecordSchema>;
