/** Lets so many through at a time, in the order in which they come. */
export interface Turnstile {
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function turnstile(places: number): Turnstile {
  let free = places;
  const waiting: (() => void)[] = [];
  return {
    async pass(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
