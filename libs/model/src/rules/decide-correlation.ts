import type { Micros } from '@switchyard/base';
import {
  inEventOrder,
  NO_STATE,
  type Accumulate,
  type CorrelatedEvent,
  type Correlation,
  type CorrelationBatch,
  type CorrelationState,
  type Debounce,
  type Decision,
  type PendingEvent,
  type Throttle,
} from './correlation';

/**
 * Decides about a match by the times at which events occurred. So a repeated decision after a crash, or a late one, has the
 * same outcome.
 * @param now the current time; only debounce uses it
 */
export function decideCorrelation(
  correlation: Correlation,
  state: CorrelationState | undefined,
  event: CorrelatedEvent,
  now: Micros,
): Decision {
  const before = state ?? NO_STATE;
  switch (correlation.name) {
    case 'throttle':
    case 'once_within':
      return throttle(correlation, before, event);
    case 'debounce':
      return debounce(correlation, before, event, now);
    case 'accumulate':
      return accumulate(correlation, before, event);
  }
}

/** How long to keep a state after its last change, because events may arrive late. */
export function stateLifeMicros(correlation: Correlation): Micros {
  const span = correlation.name === 'debounce' ? correlation.quietMicros : correlation.windowMicros;
  return 2 * span + LATE_MICROS;
}

const LATE_MICROS = 24 * 60 * 60 * 1e6;

/** After an outage, a backlog of events arrives in a burst. They have this long to replace each other. */
const RUSH_MICROS = 2e6;

/** Never runs immediately: a match replaces the waiting one before it if it follows soon enough. */
function debounce(
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
  if (at <= floor || (last && inEventOrder(event, last) <= 0)) return { state, run: false };
  const replaces = last !== undefined && last.taken !== true && at - last.at < quietMicros;
  return { state: { ...state, pending: [...(replaces ? pending.slice(0, -1) : pending), event] }, run: false };
}

/** The matches that are due, oldest first. */
export const ripe = ({ pending }: CorrelationState, now: Micros): PendingEvent[] =>
  pending.filter(({ due }) => due <= now);

/** When the next one is due; undefined if none waits. */
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

/** The state after some matches have run, or no longer need to. */
export function settled(state: CorrelationState, done: readonly CorrelatedEvent[]): CorrelationState {
  const gone = new Set(done.map(({ instance }) => instance));
  return {
    ...state,
    pending: state.pending.filter(({ instance }) => !gone.has(instance)),
    floor: Math.max(state.floor, ...done.map(({ at }) => at)),
  };
}

/** This many additional runs are remembered, for events that are decided again. */
const SPARE = 100;

/** Runs unless `count` other runs are within the window, before or after it, because events arrive in any order. */
function throttle({ count, windowMicros }: Throttle, state: CorrelationState, event: CorrelatedEvent): Decision {
  const { entries } = state;
  if (entries.some(({ instance }) => instance === event.instance)) return { state, run: true };
  const near = entries.filter(({ at }) => Math.abs(at - event.at) < windowMicros).length;
  if (near >= count || event.at <= state.floor) return { state, run: false };
  const all = [...entries, event].sort(inEventOrder);
  const forgotten = all.slice(0, Math.max(0, all.length - count - SPARE));
  const kept = all.slice(forgotten.length);
  return { state: { ...state, entries: kept, floor: forgotten.at(-1)?.at ?? state.floor }, run: true };
}

/** This many batches, with this many events in total, are remembered for events that are decided again. */
const BATCHES = 20;
const MEMBERS = 2000;

/** Collects matches; the one that completes the count runs the action with all of them. */
function accumulate({ count, windowMicros }: Accumulate, state: CorrelationState, event: CorrelatedEvent): Decision {
  const { entries, batches, floor } = state;
  const known = batches.find(({ members }) => members.some(({ instance }) => instance === event.instance));
  if (known) return known.by === event.instance ? running(state, known) : { state, run: false };
  if (event.at <= floor || entries.some(({ instance }) => instance === event.instance)) return { state, run: false };
  const all = [...entries, event].sort(inEventOrder);
  const latest = all.at(-1)?.at ?? event.at;
  const gathered = all.filter(({ at }) => at > latest - windowMicros);
  if (gathered.length < count) return { state: { ...state, entries: gathered }, run: false };
  const batch = { by: event.instance, members: gathered };
  return running(withBatch(state, batch), batch);
}

const running = (state: CorrelationState, { members }: CorrelationBatch): Decision => ({
  state,
  run: true,
  members: members.map(({ instance }) => instance),
});

function withBatch(state: CorrelationState, batch: CorrelationBatch): CorrelationState {
  const batches = [...state.batches, batch];
  let floor = state.floor;
  while (batches.length > BATCHES || (batches.length > 1 && sizeOf(batches) > MEMBERS)) {
    const forgotten = batches.shift();
    floor = Math.max(floor, ...(forgotten?.members ?? []).map(({ at }) => at));
  }
  return { ...state, entries: [], batches, floor };
}

const sizeOf = (batches: readonly CorrelationBatch[]): number =>
  batches.reduce((sum, { members }) => sum + members.length, 0);
