import { SECOND_MS, slices, type Slices } from '@switchyard/base';
import { processorMs } from './turns/slice';

export interface AllowanceLimits {
  /** Steps that all expressions may take together. */
  readonly steps: number;
  /** Working time of all expressions together, measured by `processorMs`. */
  readonly durationMs: number;
}

/** The same limits as for a single expression. */
export const DEFAULT_ALLOWANCE: AllowanceLimits = { steps: 5_000_000, durationMs: 5 * SECOND_MS };

/** How long to work before yielding to other tasks. */
const SLICE_MS = 10;

/** This share of the working time is measured by the wall clock, because reading the processor clock costs more than most work does. */
const ROUGH_SHARE = 0.1;

/**
 * Limits the total cost of all expressions of one unit of work: a request, a rule checking an event, a task of a
 * workflow. Each expression also has its own limits; the allowance may cut them short.
 */
export class Allowance {
  private steps: number;
  private worked = 0;
  private sinceRest = 0;
  /** One object for the whole unit of work: only its first wait takes precedence over other long work. */
  private slice: Slices | undefined;
  /** How often this work has yielded. */
  rests = 0;

  constructor(readonly limits: AllowanceLimits = DEFAULT_ALLOWANCE) {
    this.steps = limits.steps;
  }

  /** Steps left; negative after an overdraft. */
  get balance(): number {
    return this.steps;
  }

  get stepsLeft(): number {
    return Math.max(this.steps, 0);
  }

  /** Counts finished work only; running work counts once it ends. */
  get msLeft(): number {
    return Math.max(this.limits.durationMs - this.worked, 0);
  }

  spend(steps: number): void {
    this.steps -= steps;
  }

  /** Charges for work done elsewhere, such as in a thread. */
  charge(steps: number, ms: number): void {
    this.steps -= steps;
    this.worked += ms;
  }

  /** Runs synchronous work; the expressions it evaluates draw on this allowance. */
  run<T>(work: () => T): T {
    const outer = drawOn(this);
    const startedMs = performance.now();
    const roughLeft = this.limits.durationMs * ROUGH_SHARE - this.worked;
    const startedProcessorMs = roughLeft > 0 ? undefined : processorMs();
    try {
      return work();
    } finally {
      drawOn(outer);
      const ms = performance.now() - startedMs;
      this.sinceRest += ms;
      this.worked += startedProcessorMs === undefined ? Math.min(ms, roughLeft) : processorMs() - startedProcessorMs;
    }
  }

  /** Call between two parts of the work: yields to other tasks when it is time. */
  rest(): Promise<void> | undefined {
    if (this.sinceRest < SLICE_MS) return undefined;
    this.sinceRest = 0;
    this.rests += 1;
    return (this.slice ??= slices()).pause();
  }
}

let current: Allowance | undefined;

function drawOn(next: Allowance | undefined): Allowance | undefined {
  const outer = current;
  current = next;
  return outer;
}

/** The allowance of the running work. */
export const allowance = (): Allowance | undefined => current;
