import { messageOf, type Clock } from '@switchyard/base';
import type { ElectionRecord } from '@switchyard/model';
import type { ElectionRepository } from '@switchyard/storage';
import { createTask } from '../task';
import type { ElectionCandidate } from './candidate';

export interface ElectionOptions {
  elections: ElectionRepository;
  clock: Clock;
  logger: {
    info(message: string, fields?: Record<string, unknown>): void;
    warn(message: string, fields?: Record<string, unknown>): void;
  };
  /** Starts before the election and stops after it. One candidate may compete for several offices. */
  candidate: ElectionCandidate;
  /** The work that only one process may do at a time, such as `timers`, or one of its parts, such as `sensors/3`. */
  office: string;
  onElected(term: number): void;
  /** Called when the office is lost or was given back. */
  onDeposed(): void;
}

/** One of several processes of which only one may hold the office. */
export interface Election {
  start(): Promise<void>;
  /** Gives the office back, so that another process need not wait for the lease to run out. */
  stop(): Promise<void>;
  /**
   * Whether this process holds the office. Does no I/O, so callers can check it before each step. Another process may
   * take over during a step, so each step must be safe to repeat, or be a compare-and-set.
   */
  isHeld(): boolean;
}

/**
 * An election by lease. The record of an office names an instance. While that instance beats, no other process takes the
 * office. When it stops beating, the first process to write the record takes it.
 *
 * 1. A process holds an office only after it has written the record with a compare-and-set on the term.
 * 2. A holder whose own beat is late gives up before others may take over (`Candidate.life`), and does not resume the
 *    office when it wakes up.
 * 3. A holder that finds another name, or another term, in the record gives up.
 */
export function createElection(options: ElectionOptions): Election {
  const { elections, clock, logger, candidate, office } = options;
  let held: { term: number; life: number } | undefined;
  let told = false;
  let failing = false;

  const isHeld = () => held !== undefined && candidate.life() === held.life;
  const tell = () => {
    if (told === isHeld()) return;
    told = !told;
    logger.info(told ? 'Elected: this process does the work of the office now.' : 'The office is given up.', {
      office,
    });
    if (told) options.onElected(held?.term ?? 0);
    else options.onDeposed();
  };

  async function campaign(): Promise<void> {
    if (!isHeld()) held = undefined;
    tell();
    const record = await elections.get(office);
    if (!isOurs(record)) held = undefined;
    const living = await candidate.alive();
    const life = candidate.life();
    if (!held && isVacant(record, living) && life !== undefined) {
      const taken = await elections.take(office, record, candidate.id, clock.nowMicros());
      if (taken) held = { term: taken.term, life };
    }
    failing = false;
    tell();
  }

  const isOurs = (record: ElectionRecord | undefined) => record?.holder === candidate.id && record.term === held?.term;
  /** A record that names this process while it holds nothing belongs to a term that it gave up. */
  const isVacant = (record: ElectionRecord | undefined, living: ReadonlySet<string>) =>
    record?.holder === undefined || record.holder === candidate.id || !living.has(record.holder);

  const task = createTask({
    clock,
    everyMs: candidate.heartbeatMs,
    run: campaign,
    onError: (error) => {
      // The beat may be late by now too.
      tell();
      if (!failing) logger.warn('Failed to read the election; retrying.', { office, error: messageOf(error) });
      failing = true;
    },
  });

  return {
    isHeld,
    async start() {
      await campaign();
      task.wakeIn(candidate.heartbeatMs);
    },
    async stop() {
      await task.stop();
      const last = held;
      held = undefined;
      tell();
      if (last) await elections.release(office, last.term);
    },
  };
}
