import type { Throttle } from './correlation';
import { inOrder, type CorrelatedEvent, type CorrelationState, type Decision } from './correlation-state';

/** As many that ran are remembered beyond those that still count: for events that are decided about once more. */
const SPARE = 100;

/** Runs unless `count` others that ran lie nearer than the window, on either side: events come in any order. */
export function throttle({ count, windowMicros }: Throttle, state: CorrelationState, event: CorrelatedEvent): Decision {
  const { entries } = state;
  if (entries.some(({ instance }) => instance === event.instance)) return { state, run: true };
  const near = entries.filter(({ at }) => Math.abs(at - event.at) < windowMicros).length;
  if (near >= count || event.at <= state.floor) return { state, run: false };
  const all = [...entries, event].sort(inOrder);
  const forgotten = all.slice(0, Math.max(0, all.length - count - SPARE));
  const kept = all.slice(forgotten.length);
  return { state: { ...state, entries: kept, floor: forgotten.at(-1)?.at ?? state.floor }, run: true };
}
