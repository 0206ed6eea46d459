import { nextTurn } from '@switchyard/base';
import type { Durability } from './durability';
import type { StoreEnvironment } from './environment';

interface Job {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Marks an error of the store itself. Unlike a rejected write, it aborts the whole transaction. */
export class StorageFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

const LONGEST_TURN_MS = 8;
const ANSWERED_AT_ONCE = 16;

/**
 * Runs writes in sequence, with all writes of one turn of the event loop in one transaction. A write checks everything before
 * it changes anything, so a rejected one does not affect the others.
 */
export class WriteQueue {
  private jobs: Job[] = [];
  private scheduled = false;
  /** Calls that tell callers the outcome of their writes. */
  private readonly answers: (() => void)[] = [];
  private answering = false;

  constructor(
    private readonly environment: StoreEnvironment,
    private readonly durability: Durability,
    private readonly options: { readonly waitForDisk: boolean; readonly afterFailure: () => void },
  ) {}

  /** @param run may be called again after a failed transaction, so it must change only the store */
  add<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.jobs.push({ run, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when everything added so far has an outcome. */
  async drained(): Promise<void> {
    while (this.jobs.length > 0 || this.scheduled || this.answers.length > 0) await new Promise(setImmediate);
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    nextTurn(() => this.turn());
  }

  private turn(): void {
    const { writesWait } = this.durability;
    if (writesWait) return void writesWait.then(() => this.turn());
    this.scheduled = false;
    const jobs = this.jobs;
    this.jobs = [];
    const outcomes = this.commit(jobs);
    const left = jobs.splice(outcomes.length);
    if (left.length > 0) {
      this.jobs = [...left, ...this.jobs];
      this.schedule();
    }
    this.answer(jobs, outcomes);
  }

  /** @returns an outcome for each job, in order; fewer when the turn would take too long */
  private commit(jobs: readonly Job[]): Outcome[] {
    try {
      this.durability.assertWorking();
      const outcomes = this.environment.transact(() => runAll(jobs));
      this.durability.committed();
      return outcomes;
    } catch (error) {
      this.options.afterFailure();
      const [only] = jobs;
      if (only && jobs.length === 1) return [{ error: unwrap(error) }];
      return jobs.flatMap((job) => this.commit([job]));
    }
  }

  private answer(jobs: readonly Job[], outcomes: readonly Outcome[]): void {
    const answer = () => this.answerInTurns(jobs.map((job, i) => () => settle(job, outcomes[i] as Outcome)));
    if (!this.options.waitForDisk) return answer();
    this.durability.flushed().then(answer, (error: unknown) => jobs.forEach((job) => job.reject(error)));
  }

  /** In order, and only some per turn of the event loop, because the callers that wait for them continue in the same
   * turn. */
  private answerInTurns(more: readonly (() => void)[]): void {
    this.answers.push(...more);
    if (!this.answering) this.answerSome();
  }

  private answerSome(): void {
    for (const tell of this.answers.splice(0, ANSWERED_AT_ONCE)) tell();
    this.answering = this.answers.length > 0;
    if (this.answering) setImmediate(() => this.answerSome());
  }
}

function runAll(jobs: readonly Job[]): Outcome[] {
  const until = performance.now() + LONGEST_TURN_MS;
  const outcomes: Outcome[] = [];
  for (const { run } of jobs) {
    outcomes.push(runOne(run));
    if (performance.now() > until) break;
  }
  return outcomes;
}

function runOne(run: () => unknown): Outcome {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof StorageFailure) throw error;
    return { error };
  }
}

const unwrap = (error: unknown): unknown => (error instanceof StorageFailure ? error.cause : error);

function settle(job: Job, outcome: Outcome): void {
  if ('error' in outcome) job.reject(outcome.error);
  else job.resolve(outcome.value as never);
}
