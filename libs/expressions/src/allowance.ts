import { SECOND_MS } from '@switchyard/base';

export interface AllowanceLimits {
  /** Steps of all expressions together, counted as in one of them. */
  readonly steps: number;
  /** Time that they may work together, waiting not counted. */
  readonly durationMs: number;
}

/** As much as one expression may cost by itself. */
export const DEFAULT_ALLOWANCE: AllowanceLimits = { steps: 5_000_000, durationMs: 5 * SECOND_MS };

/** After so much work others have their turn. */
const SLICE_MS = 10;

/**
 * What all expressions of one piece of work may cost together: of a request, of a rule that looks at an event, of a task of a workflow.
 * Each expression has its own limits besides; the allowance is what is left for it at most.
 */
export class Allowance {
  private steps: number;
  private worked = 0;
  private sinceRest = 0;
  /** How often others have had their turn. */
  rests = 0;

  constructor(readonly limits: AllowanceLimits = DEFAULT_ALLOWANCE) {
    this.steps = limits.steps;
  }

  /** Steps that are left; below 0 when more were taken than there were. */
  get balance(): number {
    return this.steps;
  }

  get stepsLeft(): number {
    return Math.max(this.steps, 0);
  }

  /** Of the work so far; what is going on counts when it has ended. */
  get msLeft(): number {
    return Math.max(this.limits.durationMs - this.worked, 0);
  }

  spend(steps: number): void {
    this.steps -= steps;
  }

  /** For work that was done elsewhere. */
  charge(steps: number, ms: number): void {
    this.steps -= steps;
    this.worked += ms;
  }

  /** Expressions that are evaluated meanwhile draw on this allowance. The work does not wait for anything. */
  run<T>(work: () => T): T {
    const outer = drawOn(this);
    const started = performance.now();
    try {
      return work();
    } finally {
      drawOn(outer);
      const took = performance.now() - started;
      this.worked += took;
      this.sinceRest += took;
    }
  }

  /** To be called between two parts of the work: now and then it lets the process do something else. */
  rest(): Promise<void> | undefined {
    if (this.sinceRest < SLICE_MS) return undefined;
    this.sinceRest = 0;
    this.rests += 1;
    return new Promise((resolve) => setImmediate(resolve));
  }
}

let current: Allowance | undefined;

function drawOn(next: Allowance | undefined): Allowance | undefined {
  const outer = current;
  current = next;
  return outer;
}

/** The allowance of the work in progress. */
export const allowance = (): Allowance | undefined => current;
