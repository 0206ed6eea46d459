const MINUTE = 60;

/** Executions that a pool gets in each second. */
export const LOADS = {
  // An alert storm: 1,200 executions in a minute, and nothing before and after.
  burst: [...Array<number>(2 * MINUTE).fill(0), ...Array<number>(MINUTE).fill(20)],
  // From nothing to one execution a second in 20 minutes, and back.
  ramp: Array.from({ length: 40 * MINUTE }, (_, at) => {
    const level = Math.min(at, 40 * MINUTE - at) / MINUTE;
    return at % 10 < level / 2 ? 1 : 0;
  }),
  // A job every four minutes: one minute of work, three of nothing.
  flapping: Array.from({ length: 60 * MINUTE }, (_, at) => (at % (4 * MINUTE) < MINUTE ? 2 : 0)),
} as const satisfies Readonly<Record<string, readonly number[]>>;

export type LoadName = keyof typeof LOADS;

export const LOAD_NAMES = Object.keys(LOADS) as LoadName[];

/** How long the execution with this number takes: from 1 to 60 seconds, in no order. */
export const shortSeconds = (number: number): number => 1 + ((number * 37) % 60);
