/** A small generator of random numbers from a seed (mulberry32), so that a failing run can be replayed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The random numbers of one round, which do not depend on the rounds before it. */
export const randomOfRound = (seed: number, number: number): (() => number) =>
  randomFrom(Math.floor(randomFrom(seed)() * 4294967296) + number);
