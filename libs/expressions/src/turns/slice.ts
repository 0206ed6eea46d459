import { Interruption } from '../evaluate/scope';

/** After so much work others have their turn. */
export const SLICE_MS = 20;

/** What is asked for in one step and costs more steps than this is not begun within a slice: a text of two million characters. */
const MOST_STEPS_AT_ONCE = 65_536;

/** Stops an evaluation that would make others wait: it is done in a thread. */
export class TooSlowHere extends Interruption {
  constructor() {
    super('The evaluation takes longer than others can wait for it.');
  }
}

let waited = 0;

/** A clock in milliseconds that stands still while an evaluation waits. */
export const workingMs = (): number => performance.now() - waited;

/** Takes time off the clock that went by without work. */
export function leaveOut(ms: number): void {
  waited += ms;
}

let sliceEnd = Infinity;

/** Evaluations inside stop when their slice is over. */
export function withinSlice<T>(startedMs: number, work: () => T): T {
  const outer = sliceEnd;
  sliceEnd = startedMs + SLICE_MS;
  try {
    return work();
  } finally {
    sliceEnd = outer;
  }
}

/** @param steps of what is about to begin @throws TooSlowHere */
export function keepToSlice(nowMs: number, steps: number): void {
  if (sliceEnd !== Infinity && (nowMs > sliceEnd || steps > MOST_STEPS_AT_ONCE)) throw new TooSlowHere();
}

/** To be called before work that may take long by itself. @throws TooSlowHere */
export const notInSlice = (): void => keepToSlice(Infinity, 0);
