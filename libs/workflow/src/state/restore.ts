import type {
  ArrivalDocument,
  ContextDocument,
  EntryDocument,
  ErrorDocument,
  ItemDocument,
  ItemsDocument,
  RouteDocument,
  Snapshot,
  StagedDocument,
  StateDocument,
} from './documents';
import { ItemSet } from './items';
import { pointer, State } from './state';

type ByKind = { [K in StateDocument['kind']]: Extract<StateDocument, { kind: K }>[] };

/** The state that its documents tell of; every look-up that only repeats them is made anew. */
export function restoreState({ head, documents }: Snapshot): State {
  const state = new State(head);
  const kinds = sorted(documents);
  restoreContexts(state, kinds.context, kinds.route);
  restoreItems(state, kinds.items, kinds.item);
  restoreEntries(state, kinds.entry);
  restoreStaged(state, kinds.staged, kinds.arrival);
  restoreErrors(state, kinds.error);
  return state;
}

function sorted(documents: Iterable<StateDocument>): ByKind {
  const kinds: ByKind = { entry: [], staged: [], arrival: [], context: [], items: [], item: [], route: [], error: [] };
  for (const document of documents) (kinds[document.kind] as StateDocument[]).push(document);
  return kinds;
}

const byIndex = (a: { index: number }, b: { index: number }): number => a.index - b.index;

function restoreContexts(state: State, contexts: ContextDocument[], routes: RouteDocument[]): void {
  state.contexts.nodes.push(...contexts.sort(byIndex));
  state.routes.push(...routes.sort(byIndex));
}

function restoreItems(state: State, sets: ItemsDocument[], runs: ItemDocument[]): void {
  for (const set of sets.sort(byIndex)) state.items.set(set.index, new ItemSet(set, state.journal, state.dirty));
  for (const run of runs) state.items.get(run.items)?.restore(run);
}

function restoreEntries(state: State, entries: EntryDocument[]): void {
  for (const document of entries.sort(byIndex)) {
    const entry = { ...document };
    state.entries.push(entry);
    state.makeLatest(entry);
  }
  for (const routes of state.latest.values()) {
    for (const entry of routes.values()) if (entry.items !== undefined) state.feed(entry);
  }
  for (const entry of state.overtaken) state.feed(entry);
  const ended = state.entries.filter(({ result, undone }) => result !== undefined && undone !== true);
  state.undoable.push(...ended.sort((a, b) => a.ended! - b.ended!));
  state.journal.commit();
}

function restoreStaged(state: State, staged: StagedDocument[], arrivals: ArrivalDocument[]): void {
  for (const document of staged) state.putStaged({ ...document });
  for (const arrival of arrivals.sort((a, b) => a.order - b.order)) {
    const at = pointer(arrival.task, arrival.route);
    const known = state.arrivals.get(at);
    if (known === undefined) state.arrivals.set(at, new Map([[arrival.source, arrival]]));
    else known.set(arrival.source, arrival);
  }
  state.journal.commit();
}

function restoreErrors(state: State, errors: ErrorDocument[]): void {
  for (const document of errors.sort(byIndex)) state.errors.set(JSON.stringify(document.entry), document);
}
