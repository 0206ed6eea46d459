import { Contexts } from './contexts';
import { DirtyDocuments } from './dirty';
import type { ArrivalDocument, Changes, ErrorEntry, HeadDocument, RouteDocument } from './documents';
import { Entries } from './entries';
import { ErrorLog } from './error-log';
import { ItemSets } from './item-sets';
import type { ItemSet } from './items';
import { Journal } from './journal';
import type { Mutable } from './mutable';
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

/** All that is known of a run. Only the code of this folder changes any of it (I3). */
export class State {
  readonly journal = new Journal();
  readonly dirty = new DirtyDocuments();
  readonly contexts = new Contexts(this.journal, this.dirty);
  readonly items = new ItemSets(this.journal, this.dirty);
  readonly entries = new Entries(this.journal, this.dirty, this.items);
  readonly staging = new Staging(this.journal, this.dirty);
  readonly errors = new ErrorLog(this.journal, this.dirty);
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

  /** @returns how many there were before */
  count(name: keyof HeadDocument['made'], by = 1): number {
    const before = this.head.made[name];
    this.setHead({ made: { ...this.head.made, [name]: before + by } });
    return before;
  }

  /** @returns the index of a route that leaves another one by a transition */
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

  logError(entry: ErrorEntry): void {
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

  /** What has changed since this was asked last; undefined when nothing has. */
  takeChanges(): Changes | undefined {
    if (!this.headChanged) return undefined;
    this.headChanged = false;
    this.head.revision += 1;
    return { head: { ...this.head }, ...this.dirty.take() };
  }
}
