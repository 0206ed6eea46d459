import { SECOND_MS } from '@switchyard/base';
import { allowance } from '../../allowance';
import { keepToSlice, workingMs } from '../../turns/slice';
import { JinjaError } from '../values/jinja-error';

export interface Limits {
  /** Steps that one rendering may take; one step is one node of the template, or 32 characters or items produced. */
  readonly steps: number;
  /** Characters of one text; an item of a list counts for eight of them. */
  readonly size: number;
  /** Time, for work whose steps cannot be counted, such as matching patterns. */
  readonly durationMs: number;
}

export const DEFAULT_LIMITS: Limits = { steps: 2_000_000, size: 16_000_000, durationMs: 5 * SECOND_MS };

const STEPS_BETWEEN_CHECKS = 4_096;

/** What one rendering may still cost: the guard against runaway loops and texts that double. */
export class Budget {
  private left: number;
  private untilCheck = STEPS_BETWEEN_CHECKS;
  private readonly started = workingMs();
  private readonly shared = allowance();
  private readonly steps: number;
  private readonly durationMs: number;

  constructor(private readonly limits: Limits = DEFAULT_LIMITS) {
    this.steps = Math.min(limits.steps, this.shared?.stepsLeft ?? limits.steps);
    this.durationMs = Math.min(limits.durationMs, this.shared?.msLeft ?? limits.durationMs);
    this.left = this.steps;
    if (this.durationMs <= 0) this.untilCheck = 0;
  }

  /** To be called once, at the end: the cost is taken from what the piece of work may cost as a whole. */
  settle(): void {
    this.shared?.spend(this.steps - this.left);
  }

  /** @throws BudgetError when the steps are used up */
  spend(steps = 1): void {
    this.left -= steps;
    this.untilCheck -= steps;
    if (this.left < 0) {
      if (this.shared && this.steps < this.limits.steps) throw together(`${this.shared.limits.steps} steps`);
      throw new JinjaError('BudgetError', `The template needs more than the ${this.limits.steps} steps it may take.`);
    }
    if (this.untilCheck < 0) this.checkTime();
  }

  /** @throws BudgetError when the time is over */
  checkTime(): void {
    const steps = STEPS_BETWEEN_CHECKS - this.untilCheck;
    this.untilCheck = STEPS_BETWEEN_CHECKS;
    const now = workingMs();
    if (now - this.started > this.durationMs) throw this.overtime();
    keepToSlice(now, steps);
  }

  /** What goes beyond the time fails with. */
  overtime(): JinjaError {
    if (this.shared && this.durationMs < this.limits.durationMs) return together(`${this.shared.limits.durationMs} ms`);
    return new JinjaError(
      'BudgetError',
      `The template takes longer than the ${this.limits.durationMs} ms it may take.`,
    );
  }

  /** The most time that is left for it. */
  get mostMs(): number {
    return this.durationMs;
  }

  /** To be called before something of this length is made. @throws BudgetError when it is too long, or too much in total */
  produce(length: number): void {
    this.check(length);
    if (length > 31) this.spend(length >> 5);
  }

  /** For what grows in place. @throws BudgetError when it gets too long */
  check(length: number): void {
    if (!(length <= this.limits.size)) {
      throw new JinjaError('BudgetError', `The template makes a value larger than ${this.limits.size} characters.`);
    }
  }
}

const together = (limit: string): JinjaError =>
  new JinjaError('BudgetError', `The templates need more than the ${limit} that they may take together.`);

/**
 * The budget of the rendering in progress. Rendering never waits, so there is one at a time; walks over values reach it here
 * instead of carrying it through every comparison.
 */
let current: Budget | undefined;

/** Runs a rendering on its budget. */
export function onBudget<T>(budget: Budget, work: () => T): T {
  const outer = current;
  current = budget;
  try {
    return work();
  } finally {
    current = outer;
  }
}

/** Pays for steps of a walk over a value. A small value can be a huge tree when its lists share parts. */
export const charge = (steps: number): void => current?.spend(steps);

/** An item of a list counts for as much memory as so many characters. */
export const ITEM_SIZE = 8;

/** Pays for what an operation has made. @throws BudgetError */
export function chargeResult<T>(value: T): T {
  if (typeof value === 'string') current?.produce(value.length);
  else if (Array.isArray(value)) current?.produce(value.length * ITEM_SIZE);
  return value;
}

/** Pays for looking at a whole text or list. */
export function chargeFor(value: unknown): void {
  if (typeof value === 'string' || Array.isArray(value)) current?.spend(value.length >> 5);
}
