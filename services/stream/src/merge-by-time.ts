import type { Micros } from '@switchyard/base';

export interface Timed {
  readonly timestamp: Micros;
}

/** Things in an order of their own, none of them earlier than `from`. It is not read before its time has come. */
export interface TimedSource<T extends Timed> {
  readonly from: Micros;
  read(): AsyncIterator<T>;
}

interface Head<T> {
  readonly timestamp: Micros;
  /** Of its source: what comes first among equals. */
  readonly order: number;
  readonly item: T;
  readonly rest: AsyncIterator<T>;
}

/** What several sources have, by time. Each keeps its own order, also where its times do not. */
export async function* mergeByTime<T extends Timed>(sources: readonly TimedSource<T>[]): AsyncGenerator<T, void> {
  const unread = sources.map(({ from, read }, order) => ({ timestamp: from, order, read })).sort(latestFirst);
  const heads: Head<T>[] = [];
  const advance = async (order: number, rest: AsyncIterator<T>) => {
    const next = await rest.next();
    if (next.done) return;
    insert(heads, { timestamp: next.value.timestamp, order, item: next.value, rest });
  };
  for (;;) {
    const [source, head] = [unread.at(-1), heads.at(-1)];
    if (source && (!head || source.timestamp <= head.timestamp)) {
      unread.pop();
      await advance(source.order, source.read());
    } else if (head) {
      heads.pop();
      yield head.item;
      await advance(head.order, head.rest);
    } else return;
  }
}

const latestFirst = (a: Omit<Head<unknown>, 'item' | 'rest'>, b: Omit<Head<unknown>, 'item' | 'rest'>): number =>
  b.timestamp - a.timestamp || b.order - a.order;

/** Keeps the order, with a search in halves: thousands of actions may run at a time. */
function insert<T>(heads: Head<T>[], head: Head<T>): void {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (latestFirst(heads[middle]!, head) < 0) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
}
