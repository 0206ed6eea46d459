import { slices, type Slices } from '@switchyard/base';
import { allowance, type Allowance } from '../allowance';
import { Interruption } from '../evaluate/scope';
import { ThreadEvaluation } from '../threads/thread-evaluation';
import { askHost, isAlike, type Evaluation } from './evaluation';
import { processorMs, SLICE_MS, TooSlowHere, withinSlice, workingMs } from './slice';

/*
 * Runs synchronous work without blocking others.
 *
 * 1. The work has no side effects and is repeatable: an interrupted attempt is started again.
 * 2. Evaluations are numbered in order. The outcome of each, value or error, is kept under its number, so that it is
 * evaluated only once, regardless of the number of attempts. Random and time-dependent expressions therefore have the
 * same value in each attempt.
 * 3. An evaluation that exceeds its slice continues in a thread. Its questions to the host are asked within an attempt,
 * at its number: only there is the host in the matching state.
 * 4. An attempt that has evaluated for longer than a slice, or than it took to reach new work if that is longer, is
 * interrupted before the next evaluation. So restarts at most double the cost.
 * 5. Whatever interrupts an evaluation ends the attempt, even if the work catches it.
 */

/** Stops an attempt to yield to others. */
class OthersFirst extends Interruption {}

/** The outcome of an evaluation. There may be many, so they are kept small. */
interface Note {
  readonly language: Evaluation['language'];
  readonly form: Evaluation['form'];
  readonly source: string;
  readonly failed: boolean;
  /** The value, or the error. */
  readonly outcome: unknown;
  /** The steps used, and the allowance that they were charged to. */
  readonly steps: number;
  readonly ms: number;
  chargedTo: Allowance | undefined;
  readonly trails: readonly unknown[];
}

interface Elsewhere {
  readonly number: number;
  readonly run: ThreadEvaluation;
  readonly trails: unknown[];
}

export class Turns {
  private readonly notes: Note[] = [];
  private next = 0;
  private startedMs = 0;
  /** How long the attempt took to reach new work; undefined until then. */
  private repeatedMs: number | undefined;
  private workedMs = 0;
  private interruption: Interruption | undefined;
  private isEvaluating = false;
  private elsewhere: Elsewhere | undefined;
  /** One object for all attempts: only the first wait of long work takes precedence over other long work. */
  private slice: Slices | undefined;
  /** Numbers of evaluations that cannot run in a thread. */
  private readonly onlyHere = new Set<number>();

  /** Runs one attempt. @throws whatever the work throws or interrupts it with */
  attempt<T>(work: () => T): T {
    const outer = switchTo(this);
    this.next = 0;
    this.startedMs = performance.now();
    this.repeatedMs = undefined;
    this.workedMs = 0;
    this.interruption = undefined;
    try {
      const result = work();
      this.endAttempt();
      return result;
    } catch (error) {
      this.endAttempt();
      throw error;
    } finally {
      switchTo(outer);
    }
  }

  /** Repeats the work until nothing interrupts it. @param supply awaits the value that the work needs, or rethrows */
  async repeat<T>(work: () => T, supply: (interruption: Interruption) => Promise<void>): Promise<T> {
    try {
      for (;;) {
        try {
          return this.attempt(work);
        } catch (error) {
          if (!(error instanceof Interruption)) throw error;
          await this.after(error, supply);
        }
      }
    } finally {
      this.elsewhere?.run.cancel();
    }
  }

  /** Returns the value of an evaluation, from this or an earlier attempt. */
  evaluate<T>(evaluation: Evaluation, here: () => T): T {
    if (this.isEvaluating) return here();
    if (this.interruption) throw this.interruption;
    const number = this.next;
    this.next += 1;
    try {
      return this.outcomeOf(number, evaluation, here) as T;
    } catch (error) {
      if (error instanceof Interruption) this.interruption = error;
      throw error;
    }
  }

  private endAttempt(): void {
    if (this.interruption) throw this.interruption;
  }

  private async after(interruption: Interruption, supply: (interruption: Interruption) => Promise<void>) {
    if (interruption instanceof OthersFirst) return (this.slice ??= slices()).pause();
    if (!(interruption instanceof TooSlowHere) || this.elsewhere === undefined) return supply(interruption);
    const { number, run, trails } = this.elsewhere;
    const step = await run.proceed();
    if (step === 'asks') return;
    this.elsewhere = undefined;
    if (step === 'impossible') this.onlyHere.add(number);
    else {
      const { language, form, source } = run.evaluation;
      this.notes.push({ language, form, source, ...step, chargedTo: undefined, trails });
    }
  }

  private outcomeOf(number: number, evaluation: Evaluation, here: () => unknown): unknown {
    const note = this.notes[number];
    if (note !== undefined && isAlike(note, evaluation)) return replayed(note, evaluation);
    if (this.elsewhere?.number === number) return this.askFor(this.elsewhere, evaluation);
    this.forget(number);
    this.repeatedMs ??= performance.now() - this.startedMs;
    if (this.workedMs > Math.max(SLICE_MS, this.repeatedMs)) throw new OthersFirst();
    return this.fresh(number, evaluation, here);
  }

  private askFor({ run, trails }: Elsewhere, evaluation: Evaluation): never {
    if (!isAlike(run.evaluation, evaluation)) {
      this.forget(this.next - 1);
      throw new OthersFirst();
    }
    run.answer((question) => askHost(evaluation, question));
    trails.push(...trailOf(evaluation));
    throw new TooSlowHere();
  }

  /** Drops the outcomes of work that differs between attempts, so that it still finishes. */
  private forget(from: number): void {
    if (this.notes.length > from) this.notes.length = from;
    this.elsewhere?.run.cancel();
    this.elsewhere = undefined;
  }

  private fresh(number: number, evaluation: Evaluation, here: () => unknown): unknown {
    const shared = allowance();
    const before = shared === undefined ? 0 : shared.balance;
    const startedMs = processorMs();
    let failed = false;
    let outcome: unknown;
    this.isEvaluating = true;
    try {
      outcome = this.onlyHere.has(number) ? here() : withinSlice(workingMs(), here);
    } catch (error) {
      if (error instanceof TooSlowHere) this.takeElsewhere(number, evaluation, before);
      if (error instanceof Interruption) throw error;
      failed = true;
      outcome = error;
    } finally {
      this.isEvaluating = false;
    }
    const ms = processorMs() - startedMs;
    this.workedMs += ms;
    const { language, form, source } = evaluation;
    const steps = shared === undefined ? 0 : before - shared.balance;
    this.notes.push({ language, form, source, failed, outcome, steps, ms, chargedTo: shared, trails: trailOf(evaluation) }); // oxfmt-ignore
    if (failed) throw outcome;
    return outcome;
  }

  /** The steps used so far are not charged, because the thread starts over. */
  private takeElsewhere(number: number, evaluation: Evaluation, before: number): void {
    const shared = allowance();
    shared?.spend(shared.balance - before);
    this.elsewhere = { number, run: new ThreadEvaluation(evaluation), trails: [] };
  }
}

function replayed(note: Note, evaluation: Evaluation): unknown {
  const shared = allowance();
  if (shared !== undefined && note.chargedTo !== shared) {
    shared.charge(note.steps, note.ms);
    note.chargedTo = shared;
  }
  for (const trail of note.trails) if ('scope' in evaluation) evaluation.scope.trail?.lay(trail);
  if (note.failed) throw note.outcome;
  return note.outcome;
}

function trailOf(evaluation: Evaluation): readonly unknown[] {
  const trail = 'scope' in evaluation ? evaluation.scope.trail?.taken() : undefined;
  return trail === undefined ? NONE : [trail];
}

const NONE: readonly unknown[] = [];

let current: Turns | undefined;

function switchTo(next: Turns | undefined): Turns | undefined {
  const outer = current;
  current = next;
  return outer;
}

/** The turns of the running work; undefined for work that cannot be interrupted. */
export const currentTurns = (): Turns | undefined => current;

/**
 * Runs work that evaluates expressions and templates without blocking others: it yields between evaluations, and long
 * ones run in a thread. The work restarts after each interruption, so it must be deterministic and have no side
 * effects.
 * @param supply handles other interruptions by awaiting what is missing; rethrows unknown ones @throws what the work
 * throws, and fault `expression.busy`
 */
export const inTurns = <T>(work: () => T, supply: (interruption: Interruption) => Promise<void> = refuse): Promise<T> =>
  new Turns().repeat(work, supply);

const refuse = (interruption: Interruption): Promise<never> => Promise.reject(interruption);
