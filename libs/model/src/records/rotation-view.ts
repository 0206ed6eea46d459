import { microsToIso } from '@switchyard/base';
import type { KeyRotation, KeyRotationRecord } from '../resources/key-rotation';

/** A rotation of keys as the API shows it. */
export function rotationView(record: KeyRotationRecord): KeyRotation {
  const { stage, keys, position, resealed, lost, problem, user, started_at: started, ended_at: ended } = record;
  return {
    stage,
    keys,
    ...(position && { collection: position.collection }),
    resealed,
    lost,
    waiting_for: record.waiting_for,
    ...(problem !== undefined && { problem }),
    user,
    started_at: microsToIso(started),
    ...(ended !== undefined && { ended_at: microsToIso(ended) }),
  };
}
