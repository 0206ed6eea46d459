import { ownProcessorClock } from '@switchyard/base';
import { Interruption } from '../evaluate/scope';

/** How long to work before yielding to other tasks. */
export const SLICE_MS = 20;

/** A single operation that costs more steps (a text of two million characters) is not started within a slice. */
const MOST_STEPS_AT_ONCE = 65_536;

/** Stops an evaluation that would block others; it continues in a thread. */
export class TooSlowHere extends Interruption {
  constructor() {
    super('The evaluation takes too long for the main thread.');
  }
}

let waited = 0;

const wallMs = (): number => performance.now() - waited;

let clock = wallMs;

/**
 * A cheap clock in milliseconds that stops while an evaluation waits. Wall time by default, which includes time without
 * a processor.
 */
export const workingMs = (): number => clock();

/** The clock of this thread; null until first used. */
let processorClock: (() => number) | undefined | null = null;

const ofProcessor = (): (() => number) | undefined =>
  processorClock === null ? (processorClock = ownProcessorClock()) : processorClock;

/** Processor time of this thread if the system reports it, else wall time. Each call costs some microseconds. */
export const processorMs = (): number => (ofProcessor() ?? wallMs)();

/** Makes `workingMs` use processor time in this thread. @returns whether the system reports it */
export function countProcessorTime(): boolean {
  clock = ofProcessor() ?? wallMs;
  return clock !== wallMs;
}

/** Subtracts idle time from the clock. */
export function leaveOut(ms: number): void {
  waited += ms;
}

/**
 * Measures how long an evaluation has worked. Processor time is expensive to read, so it is only read once too much
 * wall time has passed.
 */
export class WorkTime {
  private readonly startedMs = workingMs();
  private startedProcessorMs: number | undefined;

  /** @param nowMs as given by `workingMs` */
  exceeds(mostMs: number, nowMs: number): boolean {
    if (clock === wallMs) this.startedProcessorMs ??= ofProcessor()?.();
    if (nowMs - this.startedMs <= mostMs) return false;
    return this.startedProcessorMs === undefined || processorMs() - this.startedProcessorMs > mostMs;
  }
}

let sliceEnd = Infinity;

/** Runs work whose evaluations stop at the end of the slice. */
export function withinSlice<T>(startedMs: number, work: () => T): T {
  const outer = sliceEnd;
  sliceEnd = startedMs + SLICE_MS;
  try {
    return work();
  } finally {
    sliceEnd = outer;
  }
}

/** @param steps cost of the next operation @throws TooSlowHere */
export function keepToSlice(nowMs: number, steps: number): void {
  if (sliceEnd !== Infinity && (nowMs > sliceEnd || steps > MOST_STEPS_AT_ONCE)) throw new TooSlowHere();
}

/** Call before an operation that may take long. @throws TooSlowHere */
export const notInSlice = (): void => keepToSlice(Infinity, 0);
