import { SECOND_MS } from '@switchyard/base';
import { allowance } from '../../allowance';
import { keepToSlice, workingMs, WorkTime } from '../../turns/slice';
import { JinjaError } from '../values/jinja-error';

export interface RenderLimits {
  /** Most steps of one rendering. A step is one evaluated node, or 32 characters or items produced. */
  readonly steps: number;
  /** Most characters of one text; a list item counts as eight. */
  readonly size: number;
  /** Time limit, for work without countable steps such as pattern matching. */
  readonly durationMs: number;
}

export const DEFAULT_RENDER_LIMITS: RenderLimits = { steps: 2_000_000, size: 16_000_000, durationMs: 5 * SECOND_MS };

const STEPS_BETWEEN_CHECKS = 4_096;

/** The remaining budget of one rendering: guards against endless loops and exploding texts. */
export class RenderBudget {
  private left: number;
  private untilCheck = STEPS_BETWEEN_CHECKS;
  private readonly worked = new WorkTime();
  private readonly shared = allowance();
  private readonly steps: number;
  private readonly durationMs: number;

  constructor(private readonly limits: RenderLimits = DEFAULT_RENDER_LIMITS) {
    this.steps = Math.min(limits.steps, this.shared?.stepsLeft ?? limits.steps);
    this.durationMs = Math.min(limits.durationMs, this.shared?.msLeft ?? limits.durationMs);
    this.left = this.steps;
    if (this.durationMs <= 0) this.untilCheck = 0;
  }

  /** Call once, at the end: charges the cost to the current allowance. */
  settle(): void {
    this.shared?.spend(this.steps - this.left);
  }

  /** @throws BudgetError when no steps are left */
  spend(steps = 1): void {
    this.left -= steps;
    this.untilCheck -= steps;
    if (this.left < 0) {
      if (this.shared && this.steps < this.limits.steps) throw together(`${this.shared.limits.steps} steps`);
      throw new JinjaError('BudgetError', `The template exceeds its limit of ${this.limits.steps} steps.`);
    }
    if (this.untilCheck < 0) this.checkTime();
  }

  /** @throws BudgetError when the time is over */
  checkTime(): void {
    const steps = STEPS_BETWEEN_CHECKS - this.untilCheck;
    this.untilCheck = STEPS_BETWEEN_CHECKS;
    const now = workingMs();
    if (this.worked.exceeds(this.durationMs, now)) throw this.overtime();
    keepToSlice(now, steps);
  }

  /** The error for exceeding the time limit. */
  overtime(): JinjaError {
    if (this.shared && this.durationMs < this.limits.durationMs) return together(`${this.shared.limits.durationMs} ms`);
    return new JinjaError('BudgetError', `The template exceeds its limit of ${this.limits.durationMs} ms.`);
  }

  /** Remaining time in milliseconds. */
  get mostMs(): number {
    return this.durationMs;
  }

  /** Call before producing something of this length. @throws BudgetError when it, or the total, is too long */
  produce(length: number): void {
    this.check(length);
    if (length > 31) this.spend(length >> 5);
  }

  /** For values that grow in place. @throws BudgetError when the value gets too long */
  check(length: number): void {
    if (!(length <= this.limits.size)) {
      throw new JinjaError('BudgetError', `The template produces a value larger than ${this.limits.size} characters.`);
    }
  }
}

const together = (limit: string): JinjaError =>
  new JinjaError('BudgetError', `The templates together exceed their limit of ${limit}.`);

/**
 * The budget of the current rendering. Rendering is synchronous, so there is one at a time; code that walks values
 * finds it here instead of passing it through every comparison.
 */
let current: RenderBudget | undefined;

/** Runs a rendering with its budget. */
function onBudget<T>(budget: RenderBudget, work: () => T): T {
  const outer = current;
  current = budget;
  try {
    return work();
  } finally {
    current = outer;
  }
}

/** Charges for walking a value. A small value can be a huge tree when its lists share parts. */
export const charge = (steps: number): void => current?.spend(steps);

/** How many characters a list item counts as. */
export const ITEM_SIZE = 8;

/** Charges for the result of an operation. @throws BudgetError */
export function chargeResult<T>(value: T): T {
  if (typeof value === 'string') current?.produce(value.length);
  else if (Array.isArray(value)) current?.produce(value.length * ITEM_SIZE);
  return value;
}

/** Charges for reading a whole text or list. */
export function chargeFor(value: unknown): void {
  if (typeof value === 'string' || Array.isArray(value)) current?.spend(value.length >> 5);
}

/** Runs work with a budget. Deep data or endless recursion overflows the stack, which fails the template. */
export function guarded<T>(budget: RenderBudget, work: () => T): T {
  try {
    return onBudget(budget, work);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new JinjaError('RecursionError', 'maximum recursion depth exceeded', { cause: error });
  } finally {
    budget.settle();
  }
}
