import type { Accumulate } from './correlation';
import { inOrder, type Batch, type CorrelatedEvent, type CorrelationState, type Decision } from './correlation-state';

/** For events that are decided about once more: so many batches, of so many events in all, are remembered. */
const BATCHES = 20;
const MEMBERS = 2000;

/** Gathers matches; the one with which there are enough within the window runs the action on all of them. */
export function accumulate(
  { count, windowMicros }: Accumulate,
  state: CorrelationState,
  event: CorrelatedEvent,
): Decision {
  const { entries, batches, floor } = state;
  const known = batches.find(({ members }) => members.some(({ instance }) => instance === event.instance));
  if (known) return known.by === event.instance ? running(state, known) : { state, run: false };
  if (event.at <= floor || entries.some(({ instance }) => instance === event.instance)) return { state, run: false };
  const all = [...entries, event].sort(inOrder);
  const latest = all.at(-1)?.at ?? event.at;
  const gathered = all.filter(({ at }) => at > latest - windowMicros);
  if (gathered.length < count) return { state: { ...state, entries: gathered }, run: false };
  const batch = { by: event.instance, members: gathered };
  return running(withBatch(state, batch), batch);
}

const running = (state: CorrelationState, { members }: Batch): Decision => ({
  state,
  run: true,
  members: members.map(({ instance }) => instance),
});

function withBatch(state: CorrelationState, batch: Batch): CorrelationState {
  const batches = [...state.batches, batch];
  let floor = state.floor;
  while (batches.length > BATCHES || (batches.length > 1 && sizeOf(batches) > MEMBERS)) {
    const forgotten = batches.shift();
    floor = Math.max(floor, ...(forgotten?.members ?? []).map(({ at }) => at));
  }
  return { ...state, entries: [], batches, floor };
}

const sizeOf = (batches: readonly Batch[]): number => batches.reduce((sum, { members }) => sum + members.length, 0);
