import { messageOf, type Clock } from '@switchyard/base';
import type { ElectionRecord } from '@switchyard/model';
import type { ElectionRepository } from '@switchyard/storage';
import { createTask } from '../task';
import type { Candidate } from './candidate';

export interface ElectionOptions {
  elections: ElectionRepository;
  clock: Clock;
  logger: {
    info(message: string, fields?: Record<string, unknown>): void;
    warn(message: string, fields?: Record<string, unknown>): void;
  };
  /** Started before the election, stopped after it. It may stand for several offices. */
  candidate: Candidate;
  /** What one process at a time does, such as `timers`, or one of several parts, such as `sensors/3`. */
  office: string;
  onElected(term: number): void;
  /** The office is lost, or was given back. */
  onDeposed(): void;
}

/** One process among many that may do what only one may do. */
export interface Election {
  start(): Promise<void>;
  /** Gives the office back, so that another one need not wait for the lease to run out. */
  stop(): Promise<void>;
  /**
   * Whether this process holds the office; asks nobody, so that it can be asked before each step. A step that began
   * while it did may end when somebody else does: it has to be one that may be done twice, or compare and set.
   */
  isHeld(): boolean;
}

/**
 * An election by lease. The record of an office names an instance; while that instance shows signs of life nobody else
 * takes the office, and when it does not, the first to write does.
 *
 * 1. Nobody holds an office without having written its record with a compare-and-set on the term.
 * 2. A holder whose own sign of life is late gives up before others may take over (`Candidate.life`),
 *    and does not take it up again by itself when it wakes.
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
  /** One that names this process while it holds nothing is of a term that it gave up. */
  const isVacant = (record: ElectionRecord | undefined, living: ReadonlySet<string>) =>
    record?.holder === undefined || record.holder === candidate.id || !living.has(record.holder);

  const task = createTask({
    clock,
    everyMs: candidate.heartbeatMs,
    run: campaign,
    onError: (error) => {
      // The sign of life may be late by now too.
      tell();
      if (!failing) logger.warn('The election could not be looked at; trying on.', { office, error: messageOf(error) });
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
