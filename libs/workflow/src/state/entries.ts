import { ACTIVE, CANCELED_LIKE, COMPLETED, PAUSED_LIKE, type WorkflowStatus } from '../machines/statuses';
import type { DirtyDocuments, Journal, Mutable } from './journal';
import type { EntryDocument } from './documents';
import type { ItemSets } from './items';

export type TaskEntry = Mutable<EntryDocument>;

/** How many tasks are in each group of statuses. The latest entries and those still running count. */
export interface TaskCensus {
  active: number;
  pausedLike: number;
  canceledLike: number;
}

/** The task runs in starting order, with the look-ups that events need (I1). */
export class Entries {
  readonly all: TaskEntry[] = [];
  /** The latest entry of each task in each route. */
  readonly latest = new Map<string, Map<number, TaskEntry>>();
  /** Entries that have not ended. */
  readonly live = new Set<TaskEntry>();
  /** Live entries that are not the latest of their task and route: the task was reached again while running. */
  readonly overtaken = new Set<TaskEntry>();
  /** With-items tasks in the middle of their list, with items that have not started. */
  readonly feeding = new Set<TaskEntry>();
  readonly census: TaskCensus = { active: 0, pausedLike: 0, canceledLike: 0 };
  /** Succeeded entries that may still be rolled back, in the order of completion. */
  readonly undoable: TaskEntry[] = [];

  constructor(
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
    private readonly items: ItemSets,
  ) {}

  latestOf(task: string, route: number): TaskEntry | undefined {
    return this.latest.get(task)?.get(route);
  }

  /** The entry of a round, if it is the latest or still running. */
  find(task: string, route: number, round: number): TaskEntry | undefined {
    const latest = this.latestOf(task, route);
    if (latest?.round === round) return latest;
    return [...this.overtaken].find((entry) => entry.task === task && entry.route === route && entry.round === round);
  }

  /** Appends an entry, which becomes the latest of its task in its route. */
  add(content: Omit<EntryDocument, 'kind' | 'key' | 'index'>): TaskEntry {
    const index = this.all.length;
    const entry: TaskEntry = { kind: 'entry', key: `entry/${index}`, index, ...content };
    this.journal.append(this.all, entry);
    this.dirty.put(entry, true);
    this.makeLatest(entry);
    return entry;
  }

  makeLatest(entry: TaskEntry): void {
    const before = this.latestOf(entry.task, entry.route);
    if (before !== undefined && isLive(before)) this.journal.include(this.overtaken, before);
    const swap = (old: TaskEntry | undefined, now: TaskEntry | undefined): void => {
      if (old !== undefined && !this.overtaken.has(old)) this.tally(old, -1);
      this.point(entry, now);
      if (now !== undefined && !this.overtaken.has(now)) this.tally(now, 1);
    };
    swap(before, entry);
    this.journal.record(() => swap(entry, before));
  }

  patch(entry: TaskEntry, changes: Partial<Omit<EntryDocument, 'status' | 'waived'>>): void {
    this.journal.patch<TaskEntry>(entry, changes);
    this.dirty.put(entry);
  }

  setStatus(entry: TaskEntry, status: WorkflowStatus): void {
    const before = entry.status;
    const change = (to: WorkflowStatus | null): void => {
      if (this.isCounted(entry)) this.tally(entry, -1);
      entry.status = to;
      if (this.isCounted(entry)) this.tally(entry, 1);
    };
    change(status);
    this.journal.record(() => change(before));
    this.dirty.put(entry);
  }

  /** Ignores a canceled task from now on. */
  waive(entry: TaskEntry): void {
    const change = (to: boolean): void => {
      this.tally(entry, -1);
      entry.waived = to;
      this.tally(entry, 1);
    };
    change(true);
    this.journal.record(() => change(false));
    this.dirty.put(entry);
  }

  /** Call when an entry has ended for good. */
  retire(entry: TaskEntry): void {
    this.journal.exclude(this.overtaken, entry);
  }

  /** Updates whether a task has items to start. */
  feed(entry: TaskEntry): void {
    const set = this.items.of(entry.items);
    const hasWork = set !== undefined && set.started < set.size && !TAKING_NOTHING.has(entry.status);
    if (hasWork && this.isCounted(entry)) this.journal.include(this.feeding, entry);
    else this.journal.exclude(this.feeding, entry);
  }

  addUndoable(entry: TaskEntry): void {
    this.journal.append(this.undoable, entry);
  }

  /** Takes the latest entry to roll back; each is returned once. */
  takeUndoable(): TaskEntry | undefined {
    const entry = this.undoable.pop();
    if (entry === undefined) return undefined;
    this.journal.record(() => this.undoable.push(entry));
    this.patch(entry, { undone: true });
    return entry;
  }

  private isCounted(entry: TaskEntry): boolean {
    return this.latestOf(entry.task, entry.route) === entry || (this.overtaken.has(entry) && isLive(entry));
  }

  /** Updates the look-ups when an entry starts or stops counting. */
  private tally(entry: TaskEntry, by: 1 | -1): void {
    const { status } = entry;
    if (by === 1 && isLive(entry)) this.live.add(entry);
    else this.live.delete(entry);
    if (ACTIVE.has(status)) this.census.active += by;
    if (PAUSED_LIKE.has(status)) this.census.pausedLike += by;
    if (CANCELED_LIKE.has(status) && entry.waived !== true) this.census.canceledLike += by;
  }

  private point({ task, route }: TaskEntry, to: TaskEntry | undefined): void {
    const routes = this.latest.get(task) ?? new Map<number, TaskEntry>();
    this.latest.set(task, routes);
    if (to === undefined) routes.delete(route);
    else routes.set(route, to);
  }
}

const isLive = ({ status }: TaskEntry): boolean => !COMPLETED.has(status);

const TAKING_NOTHING: ReadonlySet<WorkflowStatus | null> = new Set<WorkflowStatus | null>([
  'succeeded',
  'failed',
  'timeout',
  'abandoned',
  'canceled',
  'retrying',
  'canceling',
  null,
]);
