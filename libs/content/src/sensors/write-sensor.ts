import { createHash } from 'node:crypto';
import { recordChange } from '@switchyard/messaging';
import type { SensorTypeRecord } from '@switchyard/model';
import type { ContentTarget, Draft } from '../loaders/loader';
import { isSameRecord, writeRecord } from '../registrar/write-record';

/**
 * Stores a sensor and notifies the containers if anything changed. The file and overrides decide whether it is enabled; a
 * change through the API stays until they change.
 */
export async function writeSensor(
  draft: Draft<SensorTypeRecord>,
  stored: SensorTypeRecord | undefined,
  { store, publisher }: ContentTarget,
): Promise<void> {
  const content_hash = metadataHash(draft);
  const enabled = stored?.content_hash === content_hash ? stored.enabled : draft.enabled;
  const record = { ...draft, enabled, content_hash };
  if (stored && isSameRecord({ ...record, _id: stored._id }, stored)) return;
  await writeRecord(store.sensorTypes, record.ref, record, stored);
  const now = await store.sensorTypes.byKey(record.ref);
  if (!now) return;
  // Containers also poll, so a lost message only delays them.
  await publisher
    ?.publish(recordChange({ record: 'sensor', change: stored ? 'update' : 'create', id: now._id, ref: now.ref }))
    .catch(() => undefined);
}

const metadataHash = ({ source_hash: _code, content_hash: _own, ...metadata }: Draft<SensorTypeRecord>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
