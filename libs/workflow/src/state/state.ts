import { Contexts } from './contexts';
import { DecryptedTexts } from './decrypted-texts';
import { DirtyDocuments, Journal, type Mutable } from './journal';
import type { ArrivalDocument, Changes, WorkflowError, HeadDocument, RouteDocument, ErrorDocument } from './documents';
import { Entries, type TaskEntry } from './entries';
import { ItemSets, type ItemSet } from './items';
import { Staging } from './staging';

const INITIAL: HeadDocument = {
  kind: 'head',
  key: 'head',
  format: 1,
  revision: 0,
  status: 'unset',
  output: null,
  outputRendered: false,
  reruns: 0,
  made: { errors: 0, arrivals: 0, ended: 0, items: 0, publishedBytes: 0 },
};

/** The state of a run. Only code in this folder changes it (I3). */
export class State {
  readonly journal = new Journal();
  readonly dirty = new DirtyDocuments();
  readonly contexts = new Contexts(this.journal, this.dirty);
  readonly items = new ItemSets(this.journal, this.dirty);
  readonly entries = new Entries(this.journal, this.dirty, this.items);
  readonly staging = new Staging(this.journal, this.dirty);
  readonly errors = new ErrorLog(this.journal, this.dirty);
  readonly decrypted = new DecryptedTexts();
  readonly routes: RouteDocument[] = [];
  readonly head: Mutable<HeadDocument>;
  private headChanged = false;
  private headChanging = false;

  constructor(head: HeadDocument = INITIAL) {
    this.head = { ...head };
  }

  setHead(changes: Partial<HeadDocument>): void {
    this.headChanging = true;
    this.journal.patch<Mutable<HeadDocument>>(this.head, changes);
  }

  /** @returns the count before */
  count(name: keyof HeadDocument['made'], by = 1): number {
    const before = this.head.made[name];
    this.setHead({ made: { ...this.head.made, [name]: before + by } });
    return before;
  }

  /** @returns the index of a route that branches off another one by a transition */
  addRoute(base: number, by: string): number {
    const index = this.routes.length;
    const route: RouteDocument = { kind: 'route', key: `route/${index}`, index, base, by };
    this.journal.append(this.routes, route);
    this.dirty.put(route, true);
    return index;
  }

  addItems(values: readonly unknown[], concurrency: number | null): ItemSet {
    this.count('items', values.length);
    return this.items.add(values, concurrency);
  }

  addArrival(content: Omit<ArrivalDocument, 'kind' | 'key' | 'order'>): void {
    this.staging.addArrival({ ...content, order: this.count('arrivals') });
  }

  logError(entry: WorkflowError): void {
    this.errors.add(entry, () => this.count('errors'));
  }

  commit(): void {
    const changed = this.dirty.commit();
    this.headChanged ||= changed || this.headChanging;
    this.headChanging = false;
    this.journal.commit();
  }

  rollback(): void {
    this.journal.rollback();
    this.dirty.rollback();
    this.headChanging = false;
    this.contexts.forget();
  }

  /** The changes since the last call; undefined if there are none. */
  takeChanges(): Changes | undefined {
    if (!this.headChanged) return undefined;
    this.headChanged = false;
    this.head.revision += 1;
    return { head: { ...this.head }, ...this.dirty.take(), secrets: this.decrypted.take() };
  }
}

/** Errors in order, without duplicates. */
class ErrorLog {
  private readonly documents = new Map<string, ErrorDocument>();

  constructor(
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
  ) {}

  /** Oldest first. */
  get entries(): WorkflowError[] {
    return [...this.documents.values()].map(({ entry }) => entry);
  }

  /** @param nextIndex returns the number for a new entry */
  add(entry: WorkflowError, nextIndex: () => number): void {
    const text = JSON.stringify(entry);
    if (this.documents.has(text)) return;
    const index = nextIndex();
    const document: ErrorDocument = { kind: 'error', key: `error/${index}`, index, entry };
    this.journal.put(this.documents, text, document);
    this.dirty.put(document, true);
  }

  forget(which: (entry: WorkflowError) => boolean): void {
    for (const [text, document] of [...this.documents]) {
      if (!which(document.entry)) continue;
      this.journal.remove(this.documents, text);
      this.dirty.remove(document.key);
    }
  }

  restore(document: ErrorDocument): void {
    this.documents.set(JSON.stringify(document.entry), document);
  }
}

/**
 * The latest entry of a task in a route, or else in the latest earlier route that leads to it: one whose transitions
 * are all among those of the given route.
 */
export function findEntry(state: State, task: string, route: number): TaskEntry | undefined {
  const byRoute = state.entries.latest.get(task);
  const direct = byRoute?.get(route);
  if (byRoute === undefined || direct !== undefined || route === 0) return direct;
  const own = new Set(routeSteps(state, route));
  const earlier = [...byRoute.keys()].filter((other) => other < route).sort((a, b) => b - a);
  const leading = earlier.find((other) => routeSteps(state, other).every((step) => own.has(step)));
  return leading === undefined ? undefined : byRoute.get(leading);
}

/** The back ids of the transitions that opened a route and its ancestors. */
export function routeSteps(state: State, route: number): string[] {
  const steps: string[] = [];
  for (let at = state.routes[route]; at !== undefined && at.base >= 0; at = state.routes[at.base]) steps.push(at.by);
  return steps;
}
