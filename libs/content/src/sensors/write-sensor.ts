import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { recordChange } from '@switchyard/messaging';
import type { SensorTypeRecord } from '@switchyard/model';
import type { ContentTarget, Draft } from '../loaders/loader';
import { writeRecord } from '../registrar/write-record';

/**
 * Stores a sensor, and tells the containers when that changes anything. Whether it is enabled is for the file, and the
 * administrator's overrides, to say when it is registered; what the API changed since stays until they say something else.
 */
export async function writeSensor(
  draft: Draft<SensorTypeRecord>,
  stored: SensorTypeRecord | undefined,
  { store, publisher }: ContentTarget,
): Promise<void> {
  const content_hash = metadataHash(draft);
  const enabled = stored?.content_hash === content_hash ? stored.enabled : draft.enabled;
  const record = { ...draft, enabled, content_hash };
  if (stored && isDeepStrictEqual(plain({ ...record, _id: stored._id }), plain(stored))) return;
  await writeRecord(store.sensorTypes, record.ref, record, stored);
  const now = await store.sensorTypes.byKey(record.ref);
  if (!now) return;
  // Containers look by themselves too, a little later.
  await publisher
    ?.publish(recordChange({ record: 'sensor', change: stored ? 'update' : 'create', id: now._id, ref: now.ref }))
    .catch(() => undefined);
}

const metadataHash = ({ source_hash: _code, content_hash: _own, ...metadata }: Draft<SensorTypeRecord>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');

/** The same whatever built the objects and however their keys are ordered. */
const plain = (record: object): unknown => JSON.parse(JSON.stringify(record));
