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

export interface TogetherOptions {
  /** How long calls wait for one that is under way, so that more of them share the next one. Default: they do not. */
  readonly waitMs?: number;
  /** How long calls wait for others before that, if nobody is in a hurry for their results. Default: they do not. */
  readonly gatherMs?: number;
}

/** How long calls to the store wait for one that is under way, and may hang in a server that has stopped. */
export const SHARED_CALL_WAIT_MS = 50;

/** When so many calls have gathered, they wait for no others. */
const MOST_GATHERED = 100;

/**
 * Combines the calls made in one turn of the event loop into one. Each call gets the result at the position of its
 * item. @param run returns the results for all items, in their order, or promises of them; if it fails, all calls fail
 */
export function together<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  { waitMs = 0, gatherMs = 0 }: TogetherOptions = {},
): (item: Item) => Promise<Answer> {
  type Answers = readonly (Answer | Promise<Answer>)[];
  let gathering:
    | { readonly items: Item[]; readonly full: Deferred<void>; readonly answers: Promise<Answers> }
    | undefined;
  let underWay: Promise<unknown> | undefined;
  const send = async (items: readonly Item[], full: Promise<void>): Promise<Answers> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (gatherMs > 0) await settledWithin(full, gatherMs);
    if (waitMs > 0 && underWay) await settledWithin(underWay, waitMs);
    gathering = undefined;
    const answers = run(items);
    const over = answers
      .catch(() => undefined)
      .then(() => {
        if (underWay === over) underWay = undefined;
      });
    underWay = over;
    return answers;
  };
  const begin = () => {
    const items: Item[] = [];
    const full = deferred();
    return { items, full, answers: send(items, full.promise) };
  };
  return async (item) => {
    const { items, full, answers } = (gathering ??= begin());
    const position = items.push(item) - 1;
    if (items.length === MOST_GATHERED) full.resolve();
    return (await answers)[position] as Answer | Promise<Answer>;
  };
}

async function settledWithin(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
