import { microsToIso } from '@switchyard/base';
import type { KeyRotation, KeyRotationRecord } from '../resources/key-rotation';

/** A rotation of keys as the API shows it. @param isCarriedOut whether a garbage collector is running to work on it */
export function rotationView(record: KeyRotationRecord, isCarriedOut = true): KeyRotation {
  const {
    stage,
    keys,
    position,
    resealed,
    lost,
    damaged = [],
    problem,
    user,
    started_at: started,
    ended_at: ended,
  } = record;
  return {
    stage,
    keys,
    ...(position && { collection: position.collection }),
    resealed,
    lost,
    ...(damaged.length > 0 && { damaged }),
    waiting_for: record.waiting_for,
    ...(!isCarriedOut && { idle: true }),
    ...(problem !== undefined && { problem }),
    user,
    started_at: microsToIso(started),
    ...(ended !== undefined && { ended_at: microsToIso(ended) }),
  };
}
