import { ACTIVE, CANCELED_LIKE, COMPLETED, PAUSED_LIKE, type Status } from '../machines/statuses';
import type { DirtyDocuments } from './dirty';
import type { EntryDocument } from './documents';
import type { ItemSets } from './item-sets';
import type { Journal } from './journal';
import type { Mutable } from './mutable';

export type Entry = Mutable<EntryDocument>;

/** How many tasks are in which group of statuses, by the entries that count: the latest, and those that still run. */
export interface TaskCensus {
  active: number;
  pausedLike: number;
  canceledLike: number;
}

/** The runs of tasks in the order in which they began, with the look-ups that events need (I1). */
export class Entries {
  readonly all: Entry[] = [];
  /** Of each task the latest entry in each route. */
  readonly latest = new Map<string, Map<number, Entry>>();
  /** Entries that have not ended. */
  readonly live = new Set<Entry>();
  /** Those of them that are not the latest of their task in their route: it was reached once more while it ran. */
  readonly overtaken = new Set<Entry>();
  /** With-items tasks in the middle of their list, with items that have not started. */
  readonly feeding = new Set<Entry>();
  readonly census: TaskCensus = { active: 0, pausedLike: 0, canceledLike: 0 };
  /** Succeeded entries that may be undone and have not been, in the order of completion. */
  readonly undoable: Entry[] = [];

  constructor(
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
    private readonly items: ItemSets,
  ) {}

  latestOf(task: string, route: number): Entry | undefined {
    return this.latest.get(task)?.get(route);
  }

  /** The entry of a round that is the latest or still runs. */
  find(task: string, route: number, round: number): Entry | undefined {
    const latest = this.latestOf(task, route);
    if (latest?.round === round) return latest;
    return [...this.overtaken].find((entry) => entry.task === task && entry.route === route && entry.round === round);
  }

  /** Appends an entry, which becomes the latest of its task in its route. */
  add(content: Omit<EntryDocument, 'kind' | 'key' | 'index'>): Entry {
    const index = this.all.length;
    const entry: Entry = { kind: 'entry', key: `entry/${index}`, index, ...content };
    this.journal.append(this.all, entry);
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

  patch(entry: Entry, changes: Partial<Omit<EntryDocument, 'status' | 'waived'>>): void {
    this.journal.patch<Entry>(entry, changes);
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
    this.dirty.put(entry);
  }

  /** Lets a cancelled task count for nothing. */
  waive(entry: Entry): void {
    const change = (to: boolean): void => {
      this.tally(entry, -1);
      entry.waived = to;
      this.tally(entry, 1);
    };
    change(true);
    this.journal.record(() => change(false));
    this.dirty.put(entry);
  }

  /** To be called when an entry has ended for good. */
  retire(entry: Entry): void {
    this.journal.exclude(this.overtaken, entry);
  }

  /** Looks again whether a task has items to start. */
  feed(entry: Entry): void {
    const set = this.items.of(entry.items);
    const hasWork = set !== undefined && set.started < set.size && !TAKING_NOTHING.has(entry.status);
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
    this.patch(entry, { undone: true });
    return entry;
  }

  private isCounted(entry: Entry): boolean {
    return this.latestOf(entry.task, entry.route) === entry || (this.overtaken.has(entry) && isLive(entry));
  }

  /** Keeps the look-ups right when an entry begins to count, or stops. */
  private tally(entry: Entry, by: 1 | -1): void {
    const { status } = entry;
    if (by === 1 && isLive(entry)) this.live.add(entry);
    else this.live.delete(entry);
    if (ACTIVE.has(status)) this.census.active += by;
    if (PAUSED_LIKE.has(status)) this.census.pausedLike += by;
    if (CANCELED_LIKE.has(status) && entry.waived !== true) this.census.canceledLike += by;
  }

  private point({ task, route }: Entry, to: Entry | undefined): void {
    const routes = this.latest.get(task) ?? new Map<number, Entry>();
    this.latest.set(task, routes);
    if (to === undefined) routes.delete(route);
    else routes.set(route, to);
  }
}

const isLive = ({ status }: Entry): boolean => !COMPLETED.has(status);

const TAKING_NOTHING: ReadonlySet<Status | null> = new Set<Status | null>([
  'succeeded',
  'failed',
  'timeout',
  'abandoned',
  'canceled',
  'retrying',
  'canceling',
  null,
]);
