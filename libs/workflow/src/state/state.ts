import { ACTIVE, CANCELED_LIKE, COMPLETED, PAUSED_LIKE, type Status } from '../machines/statuses';
import { Contexts } from './contexts';
import { DirtyDocuments } from './dirty';
import type {
  ArrivalDocument,
  Changes,
  EntryDocument,
  ErrorDocument,
  ErrorEntry,
  HeadDocument,
  ItemsDocument,
  RouteDocument,
  StagedDocument,
} from './documents';
import { ItemSet } from './items';
import { Journal } from './journal';
import type { Mutable } from './mutable';

/** How many tasks, by the latest entry of each in each route, are in which group of statuses. */
export interface TaskCensus {
  active: number;
  pausedLike: number;
  canceledLike: number;
}

export type Entry = Mutable<EntryDocument>;
export type Staged = Mutable<StagedDocument>;
type Head = Mutable<HeadDocument>;

export const pointer = (task: string, route: number): string => `${task}__r${route}`;

/** What a task waits in to be started: one place for whoever reaches it next, and one for each entry that runs again. */
const slot = ({ task, route, round, again }: Pick<Staged, 'task' | 'route' | 'round' | 'again'>): string =>
  again ? `${pointer(task, route)}/${round}` : pointer(task, route);

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

/**
 * All that is known of a run, with the look-ups that the conductor needs kept up to date: nothing here walks over the
 * finished tasks when an event comes (I1). The only code that changes any of it (I3).
 */
export class State {
  readonly journal = new Journal();
  readonly dirty = new DirtyDocuments();
  readonly contexts = new Contexts(this.journal, this.dirty);
  readonly entries: Entry[] = [];
  readonly routes: RouteDocument[] = [];
  readonly staged = new Map<string, Staged>();
  readonly ready = new Set<Staged>();
  /** Joins that wait. */
  readonly waiting = new Set<Staged>();
  /** What has arrived at each join, by source. */
  readonly arrivals = new Map<string, Map<string, ArrivalDocument>>();
  readonly items = new Map<number, ItemSet>();
  readonly errors = new Map<string, ErrorDocument>();
  /** Entries that have started and not ended. */
  readonly live = new Set<Entry>();
  /** Those of them that are not the latest of their task in their route: it was reached once more while it ran. */
  readonly overtaken = new Set<Entry>();
  /** With-items tasks in the middle of their list, with items that have not started. */
  readonly feeding = new Set<Entry>();
  readonly census: TaskCensus = { active: 0, pausedLike: 0, canceledLike: 0 };
  /** Succeeded entries that may be undone and have not been, in the order of completion. */
  readonly undoable: Entry[] = [];
  readonly head: Head;
  /** Of each task the latest entry in each route. */
  readonly latest = new Map<string, Map<number, Entry>>();
  private headChanged = false;
  private headChanging = false;

  constructor(head: HeadDocument = INITIAL) {
    this.head = { ...head };
  }

  latestOf(task: string, route: number): Entry | undefined {
    return this.latest.get(task)?.get(route);
  }

  stagedOf(task: string, route: number): Staged | undefined {
    return this.staged.get(pointer(task, route));
  }

  /** What has been staged to run on an entry that exists. */
  againOf({ task, route, round }: Entry): Staged | undefined {
    return this.staged.get(slot({ task, route, round, again: true }));
  }

  /** The entry of a round that is the latest or still runs. */
  entryOf(task: string, route: number, round: number): Entry | undefined {
    const latest = this.latestOf(task, route);
    if (latest?.round === round) return latest;
    return [...this.overtaken].find((entry) => entry.task === task && entry.route === route && entry.round === round);
  }

  setHead(changes: Partial<HeadDocument>): void {
    this.headChanging = true;
    this.patch(this.head, changes);
  }

  count(name: keyof HeadDocument['made'], by = 1): number {
    const before = this.head.made[name];
    this.setHead({ made: { ...this.head.made, [name]: before + by } });
    return before;
  }

  addRoute(base: number, by: string): number {
    const index = this.routes.length;
    const route: RouteDocument = { kind: 'route', key: `route/${index}`, index, base, by };
    this.journal.append(this.routes, route);
    this.dirty.put(route, true);
    return index;
  }

  /** Appends an entry, which becomes the latest of its task in its route. */
  addEntry(content: Omit<EntryDocument, 'kind' | 'key' | 'index'>): Entry {
    const index = this.entries.length;
    const entry: Entry = { kind: 'entry', key: `entry/${index}`, index, ...content };
    this.journal.append(this.entries, entry);
    this.dirty.put(entry, true);
    this.makeLatest(entry);
    return entry;
  }

  makeLatest(entry: Entry): void {
    const before = this.latestOf(entry.task, entry.route);
    if (before !== undefined && isLive(before)) this.journal.include(this.overtaken, before);
    const swap = (old: Entry | undefined, now: Entry | undefined): void => {
      if (old !== undefined && !this.overtaken.has(old)) this.tally(old, -1);
      this.point(entry, now);
      if (now !== undefined && !this.overtaken.has(now)) this.tally(now, 1);
    };
    swap(before, entry);
    this.journal.record(() => swap(entry, before));
  }

  patchEntry(entry: Entry, changes: Partial<Omit<EntryDocument, 'status'>>): void {
    this.patch(entry, changes);
    this.dirty.put(entry);
  }

  setStatus(entry: Entry, status: Status): void {
    const before = entry.status;
    const change = (to: Status | null): void => {
      if (this.isCounted(entry)) this.tally(entry, -1);
      entry.status = to;
      if (this.isCounted(entry)) this.tally(entry, 1);
    };
    change(status);
    this.journal.record(() => change(before));
    if (!isLive(entry)) this.journal.exclude(this.overtaken, entry);
    this.dirty.put(entry);
  }

  stage(content: Omit<StagedDocument, 'kind' | 'key'>): Staged {
    const key = slot(content);
    const staged: Staged = { kind: 'staged', key: `staged/${key}`, ...content };
    const before = this.staged.get(key);
    if (before !== undefined) this.unstage(before);
    this.putStaged(staged);
    this.dirty.put(staged, true);
    return staged;
  }

  putStaged(staged: Staged): void {
    this.journal.put(this.staged, slot(staged), staged);
    this.place(staged);
  }

  patchStaged(staged: Staged, changes: Partial<StagedDocument>): void {
    this.patch(staged, changes);
    this.place(staged);
    this.dirty.put(staged);
  }

  unstage(staged: Staged): void {
    this.journal.remove(this.staged, slot(staged));
    this.journal.exclude(this.ready, staged);
    this.journal.exclude(this.waiting, staged);
    this.dirty.remove(staged.key);
  }

  addArrival(content: Omit<ArrivalDocument, 'kind' | 'key' | 'order'>): void {
    const at = pointer(content.task, content.route);
    const key = `arrival/${at}/${content.source}`;
    const arrival: ArrivalDocument = { kind: 'arrival', key, order: this.count('arrivals'), ...content };
    const known = this.arrivals.get(at);
    const fresh = known?.has(content.source) !== true;
    if (known === undefined) this.journal.put(this.arrivals, at, new Map([[content.source, arrival]]));
    else this.journal.put(known, content.source, arrival);
    this.dirty.put(arrival, fresh);
  }

  removeArrivals(task: string, route: number, which: (arrival: ArrivalDocument) => boolean = () => true): void {
    const known = this.arrivals.get(pointer(task, route));
    for (const arrival of [...(known?.values() ?? [])].filter(which)) {
      this.journal.remove(known!, arrival.source);
      this.dirty.remove(arrival.key);
    }
    if (known?.size === 0) this.journal.remove(this.arrivals, pointer(task, route));
  }

  arrivalsAt(task: string, route: number): ReadonlyMap<string, ArrivalDocument> {
    return this.arrivals.get(pointer(task, route)) ?? NO_ARRIVALS;
  }

  addItems(values: readonly unknown[], concurrency: number | null): ItemSet {
    const index = this.items.size;
    const document: ItemsDocument = { kind: 'items', key: `items/${index}`, index, values, concurrency };
    const set = new ItemSet(document, this.journal, this.dirty);
    this.journal.put(this.items, index, set);
    this.dirty.put(document, true);
    this.count('items', values.length);
    return set;
  }

  /** Adds an entry to the error log, unless the same stands there already. */
  logError(entry: ErrorEntry): void {
    const text = JSON.stringify(entry);
    if (this.errors.has(text)) return;
    const index = this.count('errors');
    const document: ErrorDocument = { kind: 'error', key: `error/${index}`, index, entry };
    this.journal.put(this.errors, text, document);
    this.dirty.put(document, true);
  }

  forgetErrors(which: (entry: ErrorEntry) => boolean): void {
    for (const [text, document] of this.errors) {
      if (!which(document.entry)) continue;
      this.journal.remove(this.errors, text);
      this.dirty.remove(document.key);
    }
  }

  itemsOf(index: number | undefined): ItemSet | undefined {
    return index === undefined ? undefined : this.items.get(index);
  }

  /** Looks again whether a task has items to start. */
  feed(entry: Entry): void {
    const set = this.itemsOf(entry.items);
    const hasWork = set !== undefined && set.started < set.size && !AT_REST.has(entry.status);
    if (hasWork && this.isCounted(entry)) this.journal.include(this.feeding, entry);
    else this.journal.exclude(this.feeding, entry);
  }

  addUndoable(entry: Entry): void {
    this.journal.append(this.undoable, entry);
  }

  /** The entry that ended last of those that may be undone; each is given once. */
  takeUndoable(): Entry | undefined {
    const entry = this.undoable.pop();
    if (entry === undefined) return undefined;
    this.journal.record(() => this.undoable.push(entry));
    this.patchEntry(entry, { undone: true });
    return entry;
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

  /** What has changed since the last time this was asked, undefined when nothing has. */
  takeChanges(): Changes | undefined {
    if (!this.headChanged) return undefined;
    this.headChanged = false;
    this.head.revision += 1;
    return { head: { ...this.head }, ...this.dirty.take() };
  }

  /** Keeps the look-ups right when an entry appears as the latest, or stops being it. */
  private tally(entry: Entry, by: 1 | -1): void {
    const { status } = entry;
    if (by === 1 && isLive(entry)) this.live.add(entry);
    else this.live.delete(entry);
    if (ACTIVE.has(status)) this.census.active += by;
    if (PAUSED_LIKE.has(status)) this.census.pausedLike += by;
    if (CANCELED_LIKE.has(status)) this.census.canceledLike += by;
  }

  private point({ task, route }: Entry, to: Entry | undefined): void {
    const routes = this.latest.get(task) ?? new Map<number, Entry>();
    this.latest.set(task, routes);
    if (to === undefined) routes.delete(route);
    else routes.set(route, to);
  }

  private isCounted(entry: Entry): boolean {
    return this.latestOf(entry.task, entry.route) === entry || (this.overtaken.has(entry) && isLive(entry));
  }

  private place(staged: Staged): void {
    const { ready } = staged;
    if (ready) this.journal.include(this.ready, staged);
    else this.journal.exclude(this.ready, staged);
    if (ready) this.journal.exclude(this.waiting, staged);
    else this.journal.include(this.waiting, staged);
  }

  private patch<T extends object>(target: T, changes: Partial<T>): void {
    for (const key of Object.keys(changes) as (keyof T)[]) {
      this.journal.set(target, key, changes[key] as T[keyof T]);
    }
  }
}

const isLive = ({ status }: Entry): boolean => status !== null && !COMPLETED.has(status);

const AT_REST: ReadonlySet<Status | null> = new Set([...COMPLETED, 'retrying', 'canceling', null] as (Status | null)[]);

const NO_ARRIVALS: ReadonlyMap<string, ArrivalDocument> = new Map();
