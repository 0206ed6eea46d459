import type { Snapshot, StateDocument } from './documents';
import { State } from './state';

type ByKind = { [K in StateDocument['kind']]: Extract<StateDocument, { kind: K }>[] };

/** Rebuilds the state and its look-ups from documents. */
export function restoreState({ head, documents }: Snapshot): State {
  const state = new State(head);
  const kinds = sorted(documents);
  state.contexts.nodes.push(...kinds.context);
  state.routes.push(...kinds.route);
  for (const set of kinds.items) state.items.restore(set);
  for (const run of kinds.item) state.items.of(run.items)?.restore(run);
  restoreEntries(state, kinds.entry);
  for (const staged of kinds.staged) state.staging.put({ ...staged });
  for (const arrival of kinds.arrival) state.staging.putArrival(arrival);
  for (const error of kinds.error) state.errors.restore(error);
  state.journal.commit();
  return state;
}

function sorted(documents: Iterable<StateDocument>): ByKind {
  const kinds: ByKind = { entry: [], staged: [], arrival: [], context: [], items: [], item: [], route: [], error: [] };
  for (const document of documents) (kinds[document.kind] as StateDocument[]).push(document);
  for (const list of [kinds.entry, kinds.context, kinds.items, kinds.item, kinds.route, kinds.error]) {
    (list as { index: number }[]).sort((a, b) => a.index - b.index);
  }
  kinds.arrival.sort((a, b) => a.order - b.order);
  return kinds;
}

function restoreEntries({ entries }: State, documents: ByKind['entry']): void {
  for (const document of documents) {
    const entry = { ...document };
    entries.all.push(entry);
    entries.makeLatest(entry);
  }
  for (const entry of entries.live) if (entry.items !== undefined) entries.feed(entry);
  const undoable = entries.all.filter(({ result, undone }) => result !== undefined && undone !== true);
  entries.undoable.push(...undoable.sort((a, b) => a.ended! - b.ended!));
}
