/** A promise with functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Runs the work of each key one after the other. A failure does not stop the work that follows. */
export function keyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  /** The last work of each key. */
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work);
    const over = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === over) last.delete(key);
      });
    last.set(key, over);
    return result;
  };
}

/**
 * Combines the calls made in one turn of the event loop into one. Each call gets the result at the position of its
 * item. @param run returns the results for all items, in their order, or promises of them; if it fails, all calls fail
 */
export function together<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
): (item: Item) => Promise<Answer> {
  type Answers = readonly (Answer | Promise<Answer>)[];
  let gathering: { readonly items: Item[]; readonly answers: Promise<Answers> } | undefined;
  const begin = () => {
    const items: Item[] = [];
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      gathering = undefined;
      return run(items);
    });
    return { items, answers };
  };
  return async (item) => {
    const { items, answers } = (gathering ??= begin());
    const position = items.push(item) - 1;
    return (await answers)[position] as Answer | Promise<Answer>;
  };
}
