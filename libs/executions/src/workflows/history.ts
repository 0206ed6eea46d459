import type { Micros } from '@switchyard/base';
import type { Changes, EntryDocument, HeadDocument, Snapshot, StateDocument } from '@switchyard/workflow';
import type { ActionOfTask } from './names';

/** An action that the run has decided to have run, written down before it is requested. */
export interface Order extends ActionOfTask {
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Of a with-items task: how many items there are. */
  readonly itemsCount?: number;
  /** Seconds to wait before it. */
  readonly delay?: number;
  /** Seconds that it may take. */
  readonly timeout?: number;
}

/** An order, and when it was written down. */
export interface Ordered {
  readonly order: Order;
  readonly at: Micros;
}

/** What one step of a run leaves. */
export interface Step {
  readonly changes: Changes;
  readonly orders?: readonly Order[];
  /** Revision of the run's own execution whose wish (pause, resume, cancel) has been passed on. */
  readonly wish?: number;
}

/** When a run of a task began and ended. */
export interface EntryTimes {
  readonly entry: EntryDocument;
  readonly start: Micros;
  readonly end?: Micros;
}

const ENDED: ReadonlySet<string | null> = new Set(['succeeded', 'failed', 'timeout', 'abandoned', 'canceled']);

/** All steps of a run put together. */
export class History {
  revision = 0;
  /** Revision of the execution whose wish was passed on last. */
  wish = 0;
  head: HeadDocument | undefined;
  readonly times = new Map<string, EntryTimes>();
  readonly #documents = new Map<string, StateDocument>();
  readonly #orders = new Map<string, Ordered>();
  readonly #timed = new Map<string, Ordered>();

  /** @param keepsDocuments false for a run that is in memory anyway */
  constructor(private keepsDocuments = true) {}

  add({ changes, orders = [], wish }: Step, at: Micros): void {
    this.revision += 1;
    this.head = changes.head;
    if (wish !== undefined) this.wish = wish;
    for (const document of changes.put) {
      if (this.keepsDocuments) this.#documents.set(document.key, document);
      if (document.kind === 'entry') this.noteTime(document, at);
    }
    for (const key of changes.removed) this.#documents.delete(key);
    for (const order of orders) this.note(order, at);
  }

  /** The state, which is let go of: the caller's conductor has it from now on. */
  takeSnapshot(): Snapshot | undefined {
    if (!this.head) return undefined;
    const snapshot = { head: this.head, documents: [...this.#documents.values()] };
    this.keepsDocuments = false;
    this.#documents.clear();
    return snapshot;
  }

  /** What was ordered for an action, and when. */
  order(action: ActionOfTask): Ordered | undefined {
    return this.#orders.get(keyOf(action));
  }

  /** An action that has ended needs no order. */
  forget(action: ActionOfTask): void {
    this.#orders.delete(keyOf(action));
    this.#timed.delete(keyOf(action));
  }

  /** The orders that may take only so long: after each turn somebody asks which of them is the next to be looked at. */
  get timed(): IterableIterator<Ordered> {
    return this.#timed.values();
  }

  private note(order: Order, at: Micros): void {
    this.#orders.set(keyOf(order), { order, at });
    if (order.timeout !== undefined) this.#timed.set(keyOf(order), { order, at });
  }

  private noteTime(entry: EntryDocument, at: Micros): void {
    const known = this.times.get(entry.key);
    const end = known?.end ?? (ENDED.has(entry.status) ? at : undefined);
    this.times.set(entry.key, { entry, start: known?.start ?? at, ...(end === undefined ? {} : { end }) });
  }
}

const keyOf = ({ task, route, round, attempt, item }: ActionOfTask): string =>
  `${route}:${round}:${attempt}:${item ?? ''}:${task}`;
