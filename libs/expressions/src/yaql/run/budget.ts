import { SECOND_MS } from '@switchyard/base';
import { allowance } from '../../allowance';
import { keepToSlice, workingMs, WorkTime } from '../../turns/slice';
import { YaqlFailure } from '../values/failure';

/** Limits of one evaluation. */
export interface YaqlLimits {
  /** A step is one call of a lambda, one item produced or read, or 32 characters produced. */
  readonly steps: number;
  /** Most items of one list, set, dictionary or iterator. */
  readonly elements: number;
  /** Most characters of one text. */
  readonly characters: number;
  readonly durationMs: number;
  /** How deep calls of functions defined by `def` may nest. */
  readonly depth: number;
}

export const DEFAULT_YAQL_LIMITS: YaqlLimits = {
  steps: 5_000_000,
  elements: 1_000_000,
  characters: 16_000_000,
  durationMs: 5 * SECOND_MS,
  depth: 200,
};

const STEPS_BETWEEN_CHECKS = 2_048;

/** The budget of one evaluation: guards against endless iterators, exploding texts and endless recursion. */
export class YaqlBudget {
  private left: number;
  private untilCheck: number;
  private depth = 0;
  private readonly worked = new WorkTime();
  private readonly shared = allowance();
  private readonly steps: number;
  private readonly durationMs: number;

  constructor(private readonly limits: YaqlLimits = DEFAULT_YAQL_LIMITS) {
    this.steps = Math.min(limits.steps, this.shared?.stepsLeft ?? limits.steps);
    this.durationMs = Math.min(limits.durationMs, this.shared?.msLeft ?? limits.durationMs);
    this.left = this.steps;
    this.untilCheck = this.durationMs <= 0 ? 0 : Math.min(STEPS_BETWEEN_CHECKS, this.steps);
  }

  /** Call once, at the end: charges the cost to the current allowance. */
  settle(): void {
    this.shared?.spend(this.steps - this.left);
  }

  spend(steps: number): void {
    this.left -= steps;
    this.untilCheck -= steps;
    if (this.untilCheck < 0) this.check();
  }

  /** Charges for an item added to a collection; `count` is the new length. */
  element(count: number): void {
    if (count > this.limits.elements) this.tooManyElements();
    this.spend(1);
  }

  /** Call before making a collection of this length. @param cost steps per item */
  collection(length: number, cost = 1): void {
    if (!(length <= this.limits.elements)) this.tooManyElements();
    this.spend(length * cost);
  }

  /** Call before making a text of this length. */
  text(length: number): void {
    this.room(length);
    this.spend(length >> 5);
  }

  /** Checks the length of a text that grows piece by piece. */
  room(length: number): void {
    if (!(length <= this.limits.characters)) throw memoryExceeded();
  }

  /** Call when entering a function defined by the expression; pairs with `leave`. */
  enter(): void {
    this.depth += 1;
    if (this.depth > this.limits.depth) throw recursionExceeded();
  }

  leave(): void {
    this.depth -= 1;
  }

  get maxElements(): number {
    return this.limits.elements;
  }

  /** @throws when no steps or no time are left */
  check(): void {
    const steps = STEPS_BETWEEN_CHECKS - this.untilCheck;
    this.untilCheck = Math.min(STEPS_BETWEEN_CHECKS, Math.max(this.left, 0));
    if (this.left < 0) {
      if (this.shared && this.steps < this.limits.steps)
        throw together('StepLimit', `${this.shared.limits.steps} steps`);
      throw new YaqlFailure('StepLimitExceededException', `Expression takes more than ${this.limits.steps} steps`);
    }
    const now = workingMs();
    if (this.worked.exceeds(this.durationMs, now)) throw this.overtime();
    keepToSlice(now, steps);
  }

  /** The error for exceeding the time limit. */
  overtime(): YaqlFailure {
    if (this.shared && this.durationMs < this.limits.durationMs)
      return together('TimeLimit', `${this.shared.limits.durationMs} ms`);
    const message = `Expression takes longer than ${this.limits.durationMs} ms`;
    return new YaqlFailure('TimeLimitExceededException', message);
  }

  /** Remaining time in milliseconds. */
  get mostMs(): number {
    return this.durationMs;
  }

  private tooManyElements(): never {
    throw new YaqlFailure('CollectionTooLargeException', `Collection length exceeds ${this.limits.elements} elements`);
  }
}

const together = (kind: 'StepLimit' | 'TimeLimit', limit: string): YaqlFailure =>
  new YaqlFailure(`${kind}ExceededException`, `Expressions take more than ${limit} together`);

export const memoryExceeded = (cause?: unknown) =>
  new YaqlFailure('MemoryQuotaExceededException', 'Expression consumed too much memory', undefined, { cause });

export const recursionExceeded = (cause?: unknown) =>
  new YaqlFailure('RecursionError', 'maximum recursion depth exceeded', undefined, { cause });

/**
 * The budget of the current evaluation. Evaluation is synchronous, so there is one at a time (a host function may start
 * a nested one); values and iterators find it here instead of carrying it along.
 */
let current = new YaqlBudget();

export const budget = (): YaqlBudget => current;

/** Makes `next` the current budget and returns the previous one, to be restored at the end. */
export function switchBudget(next: YaqlBudget): YaqlBudget {
  const outer = current;
  current = next;
  return outer;
}
