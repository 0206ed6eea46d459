import type { DirtyDocuments, Journal, Mutable } from './journal';
import type { ArrivalDocument, StagedDocument } from './documents';
import type { TaskEntry } from './entries';

/** The name of a task in a route. */
export const pointer = (task: string, route: number): string => `${task}__r${route}`;

export type Staged = Mutable<StagedDocument>;

/** The key of a staged task: one for the next run, and one for each entry that runs again. */
const slot = ({ task, route, round, again }: Pick<Staged, 'task' | 'route' | 'round' | 'again'>): string =>
  again ? `${pointer(task, route)}/${round}` : pointer(task, route);

/** The frontier: tasks that have been reached but not started, and arrivals at joins. */
export class Staging {
  readonly all = new Map<string, Staged>();
  readonly ready = new Set<Staged>();
  /** Waiting joins. */
  readonly waiting = new Set<Staged>();
  private readonly arrivals = new Map<string, Map<string, ArrivalDocument>>();

  constructor(
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
  ) {}

  of(task: string, route: number): Staged | undefined {
    return this.all.get(pointer(task, route));
  }

  /** What has been staged to run on an existing entry. */
  againOf({ task, route, round }: TaskEntry): Staged | undefined {
    return this.all.get(slot({ task, route, round, again: true }));
  }

  add(content: Omit<StagedDocument, 'kind' | 'key'>): Staged {
    const key = slot(content);
    const staged: Staged = { kind: 'staged', key: `staged/${key}`, ...content };
    const before = this.all.get(key);
    if (before !== undefined) this.remove(before);
    this.put(staged);
    this.dirty.put(staged, true);
    return staged;
  }

  /** Restores a stored staged task. */
  put(staged: Staged): void {
    this.journal.put(this.all, slot(staged), staged);
    this.place(staged);
  }

  patch(staged: Staged, changes: Partial<StagedDocument>): void {
    this.journal.patch<Staged>(staged, changes);
    this.place(staged);
    this.dirty.put(staged);
  }

  remove(staged: Staged): void {
    this.journal.remove(this.all, slot(staged));
    this.journal.exclude(this.ready, staged);
    this.journal.exclude(this.waiting, staged);
    this.dirty.remove(staged.key);
  }

  /** The arrivals at a join, by source. */
  arrivalsAt(task: string, route: number): ReadonlyMap<string, ArrivalDocument> {
    return this.arrivals.get(pointer(task, route)) ?? NO_ARRIVALS;
  }

  addArrival(content: Omit<ArrivalDocument, 'kind' | 'key'>): void {
    const key = `arrival/${pointer(content.task, content.route)}/${content.source}`;
    const arrival: ArrivalDocument = { kind: 'arrival', key, ...content };
    const fresh = !this.arrivalsAt(content.task, content.route).has(content.source);
    this.putArrival(arrival);
    this.dirty.put(arrival, fresh);
  }

  /** Restores a stored arrival. */
  putArrival(arrival: ArrivalDocument): void {
    const at = pointer(arrival.task, arrival.route);
    const known = this.arrivals.get(at);
    if (known === undefined) this.journal.put(this.arrivals, at, new Map([[arrival.source, arrival]]));
    else this.journal.put(known, arrival.source, arrival);
  }

  removeArrivals(task: string, route: number): void {
    for (const { key } of this.arrivalsAt(task, route).values()) this.dirty.remove(key);
    this.journal.remove(this.arrivals, pointer(task, route));
  }

  private place(staged: Staged): void {
    this.journal.include(staged.ready ? this.ready : this.waiting, staged);
    this.journal.exclude(staged.ready ? this.waiting : this.ready, staged);
  }
}

const NO_ARRIVALS: ReadonlyMap<string, ArrivalDocument> = new Map();
