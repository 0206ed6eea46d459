import { SECOND_MS } from '@switchyard/base';
import { allowance } from '../../allowance';
import { keepToSlice, workingMs } from '../../turns/slice';
import { YaqlFailure } from '../values/failure';

/** What one evaluation may cost. */
export interface YaqlLimits {
  /** One step is one call of a lambda, one item produced or looked at, or 32 characters produced. */
  readonly steps: number;
  /** Items of one list, set, dictionary or iterator. */
  readonly elements: number;
  /** Characters of one text. */
  readonly characters: number;
  readonly durationMs: number;
  /** How deep functions made by `def` may call each other. */
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

/** The guard of one evaluation against iterators without an end, texts that double and recursion without a bottom. */
export class Budget {
  private left: number;
  private untilCheck: number;
  private depth = 0;
  private readonly started = workingMs();
  private readonly shared = allowance();
  private readonly steps: number;
  private readonly durationMs: number;

  constructor(private readonly limits: YaqlLimits = DEFAULT_YAQL_LIMITS) {
    this.steps = Math.min(limits.steps, this.shared?.stepsLeft ?? limits.steps);
    this.durationMs = Math.min(limits.durationMs, this.shared?.msLeft ?? limits.durationMs);
    this.left = this.steps;
    this.untilCheck = this.durationMs <= 0 ? 0 : Math.min(STEPS_BETWEEN_CHECKS, this.steps);
  }

  /** To be called once, at the end: the cost is taken from what the piece of work may cost as a whole. */
  settle(): void {
    this.shared?.spend(this.steps - this.left);
  }

  spend(steps: number): void {
    this.left -= steps;
    this.untilCheck -= steps;
    if (this.untilCheck < 0) this.check();
  }

  /** Pays for an item that a collection gets; `count` is the length it has then. */
  element(count: number): void {
    if (count > this.limits.elements) this.tooManyElements();
    this.spend(1);
  }

  /** To be called before a collection of this length is made, with the cost of one item in steps. */
  collection(length: number, cost = 1): void {
    if (!(length <= this.limits.elements)) this.tooManyElements();
    this.spend(length * cost);
  }

  /** To be called before a text of this length is made. */
  text(length: number): void {
    this.room(length);
    this.spend(length >> 5);
  }

  /** For a text that grows piece by piece: whether it may become that long. */
  room(length: number): void {
    if (!(length <= this.limits.characters)) throw memoryExceeded();
  }

  /** A call of a function of the expression's own; pairs with `leave`. */
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

  /** @throws when the steps or the time are used up */
  check(): void {
    const steps = STEPS_BETWEEN_CHECKS - this.untilCheck;
    this.untilCheck = Math.min(STEPS_BETWEEN_CHECKS, Math.max(this.left, 0));
    if (this.left < 0) {
      if (this.shared && this.steps < this.limits.steps)
        throw together('StepLimit', `${this.shared.limits.steps} steps`);
      throw new YaqlFailure('StepLimitExceededException', `Expression takes more than ${this.limits.steps} steps`);
    }
    const now = workingMs();
    if (now - this.started > this.durationMs) throw this.overtime();
    keepToSlice(now, steps);
  }

  /** What goes beyond the time fails with. */
  overtime(): YaqlFailure {
    if (this.shared && this.durationMs < this.limits.durationMs)
      return together('TimeLimit', `${this.shared.limits.durationMs} ms`);
    const message = `Expression takes longer than ${this.limits.durationMs} ms`;
    return new YaqlFailure('TimeLimitExceededException', message);
  }

  /** The most time that is left for it. */
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
 * The budget of the evaluation in progress. An evaluation never waits, so there is one at a time (a host function may start
 * another one inside); values and iterators reach it here instead of carrying it along.
 */
let current = new Budget();

export const budget = (): Budget => current;

/** Makes `next` the current budget and gives back the one that it replaces, to be put back at the end. */
export function switchBudget(next: Budget): Budget {
  const outer = current;
  current = next;
  return outer;
}
