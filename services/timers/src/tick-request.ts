import { microsToIso, type Micros } from '@switchyard/base';
import type { TriggerRecord } from '@switchyard/model';
import { timerTag, type DispatchRequest } from '@switchyard/triggers';

/**
 * What a tick tells. Its key is made from the time at which it was due, so that whoever fires it a second time, after a
 * fail-over, finds that it has been fired.
 */
export const tickRequest = (
  { _id, ref, type, name, parameters }: TriggerRecord,
  due: Micros,
  now: Micros,
): DispatchRequest => ({
  trigger: ref,
  payload: { executed_at: spaced(now), schedule: parameters },
  traceContext: { trace_tag: timerTag(type, name) },
  requestKey: `timer:${_id}:${due}`,
  // The payload is of our own making.
  validate: false,
});

/** `2030-01-02 03:04:05.678901+00:00`: as the reference writes times into payloads of timers. */
const spaced = (micros: Micros): string => microsToIso(micros).replace('T', ' ').replace('Z', '+00:00');

/** `IntervalTimer` for `core.st2.IntervalTimer`. */
export const typeName = (type: string): string => type.slice(type.lastIndexOf('.') + 1);
