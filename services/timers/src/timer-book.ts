import { messageOf, SECOND_MICROS, type Clock, type Micros } from '@switchyard/base';
import type { TimerRecord, TriggerRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { DATE_TIMER, INTERVAL_TIMER, TIMER_TYPES, timerSchedule, type TimerSchedule } from '@switchyard/triggers';

export interface BookDeps {
  readonly store: Pick<Store, 'triggers' | 'timers'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** `timersengine.local_timezone`. */
  readonly localZone: string;
  /** How late a tick may be. */
  readonly grace: Micros;
}

export interface BookedTimer {
  readonly trigger: TriggerRecord;
  readonly schedule: TimerSchedule;
  readonly fingerprint: string;
}

/**
 * The timers known to the process that fires them. Triggers are the source of truth: each valid timer trigger has a
 * record with its next time, and there are no other records.
 */
export interface TimerBook {
  get(id: string): BookedTimer | undefined;
  readonly size: number;
  /** False until all triggers have been read. */
  readonly isComplete: boolean;
  /** Compares all timers with the store. */
  readAll(): Promise<void>;
  /** Reads one trigger that was created, changed or deleted. */
  read(id: string): Promise<void>;
  /** @param isSetBack whether the clock of this process was set back, so that timers written later than now start again */
  clear(isSetBack?: boolean): void;
}

/** If the clock is this far behind the last write, it was set back. Two machines may differ by less, this process may not. */
const SET_BACK: Micros = 60 * SECOND_MICROS;

export const createTimerBook = (deps: BookDeps): TimerBook => new Book(deps);

class Book implements TimerBook {
  isComplete = false;
  readonly #timers = new Map<string, BookedTimer>();
  /** Invalid timers, with the content that was invalid, so that each is reported once. */
  readonly #senseless = new Map<string, string>();
  /** Changes when the book is cleared, so that a read in progress is discarded. */
  #edition = 0;
  /** Until all timers have been compared with the store. */
  #isSetBack = false;

  constructor(private readonly deps: BookDeps) {}

  get size(): number {
    return this.#timers.size;
  }

  get(id: string): BookedTimer | undefined {
    return this.#timers.get(id);
  }

  async readAll(): Promise<void> {
    const edition = this.#edition;
    const { triggers, timers } = this.deps.store;
    const found = await triggers.list({ filter: { type: isOneOf(TIMER_TYPES) } });
    const records = new Map((await timers.list()).map((record) => [record._id, record]));
    for (const trigger of found) {
      if (edition !== this.#edition) return;
      await this.#enter(trigger, records.get(trigger._id));
    }
    const present = new Set(found.map(({ _id }) => _id));
    const known = [...records.keys(), ...this.#timers.keys(), ...this.#senseless.keys()];
    for (const id of new Set(known)) if (!present.has(id)) await this.#drop(id);
    if (edition !== this.#edition) return;
    this.isComplete = true;
    this.#isSetBack = false;
  }

  async read(id: string): Promise<void> {
    const trigger = await this.deps.store.triggers.get(id);
    if (trigger && TIMER_TYPES.includes(trigger.type)) await this.#enter(trigger, await this.deps.store.timers.get(id));
    else if (this.#timers.has(id) || this.#senseless.has(id)) await this.#drop(id);
  }

  clear(isSetBack = false): void {
    this.#isSetBack ||= isSetBack;
    this.#edition++;
    this.isComplete = false;
    this.#timers.clear();
  }

  async #enter(trigger: TriggerRecord, record: TimerRecord | undefined): Promise<void> {
    const { _id: id } = trigger;
    const fingerprint = fingerprintOf(trigger, this.deps.localZone);
    const now = this.deps.clock.nowMicros();
    const isCurrent = record?.fingerprint === fingerprint && now > record.written_at - (this.#isSetBack ? 0 : SET_BACK);
    if (this.#senseless.get(id) === fingerprint) return;
    if (isCurrent && this.#timers.get(id)?.fingerprint === fingerprint) return;
    const anchor = isCurrent ? record.anchor : now;
    const made = this.#schedule(trigger, fingerprint, anchor);
    if (!made) return this.#leaveOut(id, fingerprint);
    if (!isCurrent) await this.#begin(made, anchor, record);
    this.#timers.set(id, made);
    this.#senseless.delete(id);
  }

  /** A failure with one timer does not affect the others. */
  #schedule(trigger: TriggerRecord, fingerprint: string, anchor: Micros): (BookedTimer & First) | undefined {
    const { localZone, logger } = this.deps;
    try {
      const schedule = timerSchedule(trigger.type, trigger.parameters, { localZone, anchor });
      return { trigger, fingerprint, schedule, first: schedule.next(this.#registeredAfter(trigger, anchor)) };
    } catch (error) {
      logger.warn('Ignoring an invalid timer.', { trigger: trigger.ref, error: messageOf(error) });
      return undefined;
    }
  }

  /**
   * A trigger has no creation time. A trigger that a message announces was created just now. One that is found by the
   * first sweep may have been waiting for longer, and its date may have passed meanwhile.
   */
  #registeredAfter({ type }: TriggerRecord, now: Micros): Micros {
    return type === DATE_TIMER && !this.isComplete ? now - this.deps.grace : now;
  }

  async #leaveOut(id: string, fingerprint: string): Promise<void> {
    await this.#drop(id);
    this.#senseless.set(id, fingerprint);
  }

  /** Stores the first time of a timer, or the first one after a change. */
  async #begin({ trigger, first, fingerprint }: BookedTimer & First, anchor: Micros, before: TimerRecord | undefined) {
    const { store, clock, logger } = this.deps;
    if (first === undefined) logger.info('A timer has no future date to fire at.', { trigger: trigger.ref });
    const record: TimerRecord = {
      _id: trigger._id,
      trigger: trigger.ref,
      fingerprint,
      anchor,
      written_at: clock.nowMicros(),
      ...(first === undefined ? {} : { due_at: first }),
    };
    if (!(await store.timers.enter(record, before)))
      throw new Error(`the timer ${trigger.ref} was changed by another process at the same time`);
  }

  async #drop(id: string): Promise<void> {
    this.#timers.delete(id);
    this.#senseless.delete(id);
    await this.deps.store.timers.remove(id);
  }
}

interface First {
  readonly first: Micros | undefined;
}

/** Changes whenever the schedule does, but not when rules are added or removed or the description changes. */
function fingerprintOf({ type, parameters, parameters_hash: hash }: TriggerRecord, localZone: string): string {
  const isLocal = type !== INTERVAL_TIMER && (parameters['timezone'] ?? null) === null;
  return `${type}:${hash}${isLocal ? `:${localZone}` : ''}`;
}
