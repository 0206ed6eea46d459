import { allowance, type Allowance } from '../allowance';
import { Interruption } from '../evaluate/scope';
import { ThreadEvaluation } from '../threads/thread-evaluation';
import { askHost, isAlike, type Evaluation } from './evaluation';
import { SLICE_MS, TooSlowHere, withinSlice, workingMs } from './slice';

/*
 * Work that cannot wait, and that others should not have to wait for.
 *
 * 1. The work has no effects and is repeatable: an attempt that is interrupted is begun anew.
 * 2. Its evaluations are numbered in their order. What came of one is noted under its number, values and errors, so that it is
 *    evaluated once however many attempts there are; what is random or depends on the time is therefore the same in each.
 * 3. An evaluation that is not over after a slice is done in a thread. What it asks of the host is asked within an attempt, at
 *    its number: only there is the host in the state that the evaluation belongs to.
 * 4. An attempt that has evaluated for longer than a slice is interrupted before the next evaluation; or for longer than it took to
 *    get to where the last one ended, so that beginning anew costs no more than the work does.
 * 5. Whatever interrupts an evaluation ends the attempt, even if the work catches it.
 */

/** Stops an attempt so that others have their turn. */
class OthersFirst extends Interruption {}

/** What came of an evaluation. There may be many: they hold no more than they need. */
interface Note {
  readonly language: Evaluation['language'];
  readonly form: Evaluation['form'];
  readonly source: string;
  readonly failed: boolean;
  /** The value, or the error. */
  readonly outcome: unknown;
  /** What it has cost, and what that was taken from. */
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
  /** How long the attempt took to come to something new; undefined while there was nothing new. */
  private repeatedMs: number | undefined;
  private workedMs = 0;
  private interruption: Interruption | undefined;
  private isEvaluating = false;
  private elsewhere: Elsewhere | undefined;
  /** Numbers of evaluations that cannot be done in a thread. */
  private readonly onlyHere = new Set<number>();

  /** One attempt. @throws what the work throws, and what interrupts it */
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

  /** Repeats the work until nothing interrupts it. @param supply waits for what the work asks for, or throws it */
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

  /** The value of an evaluation of the attempt in progress, of whatever attempt it is. */
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
    if (interruption instanceof OthersFirst) return new Promise<void>((resolve) => setImmediate(resolve));
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

  /** Work that is not the same in each attempt loses its notes, and comes to its end all the same. */
  private forget(from: number): void {
    if (this.notes.length > from) this.notes.length = from;
    this.elsewhere?.run.cancel();
    this.elsewhere = undefined;
  }

  private fresh(number: number, evaluation: Evaluation, here: () => unknown): unknown {
    const shared = allowance();
    const before = shared === undefined ? 0 : shared.balance;
    const startedMs = workingMs();
    let failed = false;
    let outcome: unknown;
    this.isEvaluating = true;
    try {
      outcome = this.onlyHere.has(number) ? here() : withinSlice(startedMs, here);
    } catch (error) {
      if (error instanceof TooSlowHere) this.takeElsewhere(number, evaluation, before);
      if (error instanceof Interruption) throw error;
      failed = true;
      outcome = error;
    } finally {
      this.isEvaluating = false;
    }
    const ms = workingMs() - startedMs;
    this.workedMs += ms;
    const { language, form, source } = evaluation;
    const steps = shared === undefined ? 0 : before - shared.balance;
    this.notes.push({ language, form, source, failed, outcome, steps, ms, chargedTo: shared, trails: trailOf(evaluation) }); // prettier-ignore
    if (failed) throw outcome;
    return outcome;
  }

  /** What it has cost here is not charged: it begins anew. */
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

/** Of the work in progress; undefined for work that cannot be interrupted. */
export const currentTurns = (): Turns | undefined => current;
