import { JinjaError } from '../values/jinja-error';

export interface Limits {
  /** Steps that one rendering may take; one step is one node of the template, or 32 characters or items produced. */
  readonly steps: number;
  /** Characters of one text, or items of one list. */
  readonly size: number;
}

export const DEFAULT_LIMITS: Limits = { steps: 2_000_000, size: 16_000_000 };

/** What one rendering may still cost: the guard against runaway loops and texts that double. */
export class Budget {
  private left: number;

  constructor(private readonly limits: Limits = DEFAULT_LIMITS) {
    this.left = limits.steps;
  }

  /** @throws BudgetError when the steps are used up */
  spend(steps = 1): void {
    this.left -= steps;
    if (this.left < 0) {
      throw new JinjaError('BudgetError', `The template needs more than the ${this.limits.steps} steps it may take.`);
    }
  }

  /** To be called before something of this length is made. @throws BudgetError when it is too long, or too much in total */
  produce(length: number): void {
    if (!(length <= this.limits.size)) {
      throw new JinjaError('BudgetError', `The template makes a value larger than ${this.limits.size} characters or items.`);
    }
    if (length > 31) this.spend(length >> 5);
  }
}
