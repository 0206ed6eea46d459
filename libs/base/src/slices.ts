/** How long all divided work together may take in one turn of the event loop. */
const DIVIDED_MS = 8;
/** Work that has taken less than this in the current turn continues in any case, so that short work never waits. */
const SHORT_MS = 1;
/** The first slice of work that has waited. Work that needs no more than this is done after a short wait, however much
 * long work there is. */
const FIRST_SLICE_MS = 2;
/** The least time that divided work gets in a turn in which it continues. */
const LEAST_MS = DIVIDED_MS / 2;

/** Divides one piece of long work on the main thread into slices. Callers that share it count as one piece of work, and continue in order. */
export interface Slices {
  /** Whether the work should stop for this turn. Loops with many short steps check it before they call `next`. */
  isOver(): boolean;
  /** Resolves at once while this turn has time left. Otherwise other work gets a turn first. */
  next(): Promise<void>;
  /** Always gives other work a turn first, before a step that takes a whole slice. */
  pause(): Promise<void>;
}

export interface SlicedTurns {
  slices(): Slices;
  /** Calls a function in the next turn, before divided work continues. If it takes long, divided work waits for the turn after it. */
  nextTurn(job: () => void): void;
}

/**
 * All divided work of a thread shares the turns of the event loop, so that a turn stays short however many requests, executions and
 * workflows are at work at the same time:
 * 1. Work that has to wait continues in a later turn, one piece after the other, until the time of that turn is used
 *    up.
 * 2. Pieces of work continue in order, and each gets one slice, however many callers share it.
 * 3. Pieces that wait for the first time come first in every other turn, in short slices: they may be short, and then
 *    need not wait for all the long work. In the turns between, the others come first, whatever new work begins.
 */
export function createSlicedTurns(nowMs: () => number): SlicedTurns {
  const jobs: (() => void)[] = [];
  const line = new Line();
  let turn = 0;
  /** When divided work has to stop in this turn; undefined until some work checks it. */
  let endMs: number | undefined;
  /** Until then, pieces that wait for the first time come first in every other turn, and the others in the turns between. */
  let halfMs = 0;
  let wasLong = false;
  const begin = (): number => {
    turn += 1;
    setImmediate(end);
    return (endMs = nowMs() + DIVIDED_MS);
  };
  const end = () => {
    endMs = undefined;
    if (jobs.length === 0 && line.isEmpty) return;
    const untilMs = begin();
    if (!(wasLong && !line.isEmpty)) {
      for (const job of jobs.splice(0)) job();
      wasLong = nowMs() >= untilMs;
      if (wasLong) return;
    }
    wasLong = false;
    const now = nowMs();
    endMs = Math.max(untilMs, now + LEAST_MS);
    halfMs = (now + endMs) / 2;
    continueWork();
  };
  const continueWork = () => {
    const isFirstHalf = nowMs() < halfMs;
    const resume = line.next(turn, isFirstHalf === (turn % 2 === 0));
    if (!resume) return;
    resume();
    // Runs in the same turn, once the work has used its slice.
    queueMicrotask(() => process.nextTick(continueInTime));
  };
  const continueInTime = () => {
    if (endMs !== undefined && nowMs() < endMs) continueWork();
  };
  const turns: Turns = { current: () => turn, endMs: () => endMs ?? begin() };
  return {
    slices: () => slicesIn(turns, line, nowMs),
    nextTurn(job) {
      turns.endMs();
      jobs.push(job);
    },
  };
}

/** The turns of the event loop. */
interface Turns {
  /** The number of the current turn. */
  current(): number;
  /** When divided work has to stop in this turn. The turn begins now if this is the first check. */
  endMs(): number;
}

function slicesIn(turns: Turns, line: Line, nowMs: () => number): Slices {
  const piece: Piece = { callers: [], hasWaited: false };
  let inTurn = turns.current();
  let sinceMs = nowMs();
  let mostMs = Infinity;
  const isOver = () => {
    const now = nowMs();
    const turnEndMs = turns.endMs();
    if (inTurn !== turns.current()) [inTurn, sinceMs, mostMs] = [turns.current(), now, Infinity];
    return (now >= turnEndMs && now - sinceMs >= SHORT_MS) || now - sinceMs >= mostMs;
  };
  const pause = (): Promise<void> => {
    turns.endMs();
    const sliceMs = piece.hasWaited ? Infinity : FIRST_SLICE_MS;
    return new Promise<void>((resolve) =>
      line.add(piece, turns.current(), () => {
        [inTurn, sinceMs, mostMs] = [turns.current(), nowMs(), sliceMs];
        resolve();
      }),
    );
  };
  return { isOver, pause, next: () => (isOver() ? pause() : Promise.resolve()) };
}

interface Piece {
  /** The waiting pieces of work, each with the turn since which it waits. */
  readonly callers: { readonly turn: number; readonly resume: () => void }[];
  hasWaited: boolean;
}

/** The pieces of work that wait. */
class Line {
  readonly #first: Piece[] = [];
  readonly #others: Piece[] = [];

  get isEmpty(): boolean {
    return this.#first.length + this.#others.length === 0;
  }

  add(piece: Piece, turn: number, resume: () => void): void {
    if (piece.callers.push({ turn, resume }) > 1) return;
    (piece.hasWaited ? this.#others : this.#first).push(piece);
    piece.hasWaited = true;
  }

  /** @returns a function that continues the next piece of work that has waited since an earlier turn */
  next(turn: number, prefersFirst: boolean): (() => void) | undefined {
    const queues = prefersFirst ? [this.#first, this.#others] : [this.#others, this.#first];
    const queue = queues.find(([piece]) => piece?.callers[0] && piece.callers[0].turn < turn);
    const piece = queue?.shift();
    const caller = piece?.callers.shift();
    if (piece && piece.callers.length > 0) this.#others.push(piece);
    return caller?.resume;
  }
}

export const { slices, nextTurn } = createSlicedTurns(() => performance.now());
