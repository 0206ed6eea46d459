import type { Snapshot, StateDocument } from './documents';
import { State } from './state';

type ByKind = { [K in StateDocument['kind']]: Extract<StateDocument, { kind: K }>[] };

/** The number of documents between two points at which the caller may yield to other work. */
const AT_A_TIME = 500;

/** Rebuilds the state and its look-ups from documents, in parts. */
export function* restoreState({ head, documents }: Snapshot): Generator<void, State, void> {
  const state = new State(head);
  const kinds = yield* sorted(documents);
  yield* each(kinds.context, (node) => state.contexts.nodes.push(node));
  yield* each(kinds.route, (route) => state.routes.push(route));
  for (const set of kinds.items) state.items.restore(set);
  yield* each(kinds.item, (run) => state.items.of(run.items)?.restore(run));
  yield* restoreEntries(state, kinds.entry);
  for (const staged of kinds.staged) state.staging.put({ ...staged });
  yield* each(kinds.arrival, (arrival) => state.staging.putArrival(arrival));
  yield* each(kinds.error, (error) => state.errors.restore(error));
  state.journal.commit();
  return state;
}

function* each<T>(list: Iterable<T>, work: (item: T) => void): Generator<void, void, void> {
  let count = 0;
  for (const item of list) {
    work(item);
    count += 1;
    if (count % AT_A_TIME === 0) yield;
  }
}

function* sorted(documents: Iterable<StateDocument>): Generator<void, ByKind, void> {
  const kinds: ByKind = { entry: [], staged: [], arrival: [], context: [], items: [], item: [], route: [], error: [] };
  yield* each(documents, (document) => (kinds[document.kind] as StateDocument[]).push(document));
  for (const list of [kinds.entry, kinds.context, kinds.items, kinds.item, kinds.route, kinds.error]) {
    (list as { index: number }[]).sort((a, b) => a.index - b.index);
    yield;
  }
  kinds.arrival.sort((a, b) => a.order - b.order);
  return kinds;
}

function* restoreEntries({ entries }: State, documents: ByKind['entry']): Generator<void, void, void> {
  yield* each(documents, (document) => {
    const entry = { ...document };
    entries.all.push(entry);
    entries.makeLatest(entry);
  });
  for (const entry of entries.live) if (entry.items !== undefined) entries.feed(entry);
  const undoable = entries.all.filter(({ result, undone }) => result !== undefined && undone !== true);
  yield* each(
    undoable.sort((a, b) => a.ended! - b.ended!),
    (entry) => entries.undoable.push(entry),
  );
}
