import type { Micros } from '@switchyard/base';
import type { Debounce } from './correlation';
import {
  inOrder,
  type CorrelatedEvent,
  type CorrelationState,
  type Decision,
  type PendingEvent,
} from './correlation-state';

/** After an outage a backlog of events comes in a rush: they get this long to take each other's place. */
const RUSH_MICROS = 2e6;

/** Never runs at once: a match takes the place of the one before it that still waits, if it follows soon enough. */
export function debounce(
  { quietMicros }: Debounce,
  state: CorrelationState,
  { instance, at }: CorrelatedEvent,
  now: Micros,
): Decision {
  const { pending, floor } = state;
  const event: PendingEvent = {
    instance,
    at,
    due: Math.max(at + quietMicros, now + Math.min(quietMicros, RUSH_MICROS)),
  };
  const last = pending.at(-1);
  if (at <= floor || (last && inOrder(event, last) <= 0)) return { state, run: false };
  const replaces = last !== undefined && last.taken !== true && at - last.at < quietMicros;
  return { state: { ...state, pending: [...(replaces ? pending.slice(0, -1) : pending), event] }, run: false };
}

/** The matches whose time has come, oldest first. */
export const ripe = ({ pending }: CorrelationState, now: Micros): PendingEvent[] =>
  pending.filter(({ due }) => due <= now);

/** When the next one is; undefined when none waits. */
export const nextRipe = ({ pending }: CorrelationState): Micros | undefined =>
  pending.length === 0 ? undefined : Math.min(...pending.map(({ due }) => due));

/** The state in which some matches are about to run, by `due` at the latest. */
export function taken(state: CorrelationState, events: readonly CorrelatedEvent[], due: Micros): CorrelationState {
  const ids = new Set(events.map(({ instance }) => instance));
  return {
    ...state,
    pending: state.pending.map((event) => (ids.has(event.instance) ? { ...event, due, taken: true } : event)),
  };
}

/** The state after some matches have run, or need not run any more. */
export function settled(state: CorrelationState, done: readonly CorrelatedEvent[]): CorrelationState {
  const gone = new Set(done.map(({ instance }) => instance));
  return {
    ...state,
    pending: state.pending.filter(({ instance }) => !gone.has(instance)),
    floor: Math.max(state.floor, ...done.map(({ at }) => at)),
  };
}
