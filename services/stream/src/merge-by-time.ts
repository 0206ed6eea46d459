import type { Micros } from '@switchyard/base';

export interface Timed {
  readonly timestamp: Micros;
}

/** Items in an order of their own, none earlier than `from`. The source is not read before that time is reached. */
export interface TimedSource<T extends Timed> {
  readonly from: Micros;
  read(): AsyncIterator<T>;
}

interface Head<T> {
  readonly timestamp: Micros;
  /** Position of the source, which decides between equal times. */
  readonly order: number;
  readonly item: T;
  readonly rest: AsyncIterator<T>;
}

/** Merges several sources by time. Each source keeps its own order, even where its times do not. */
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

/** Inserts by binary search, because thousands of actions may run at a time. */
function insert<T>(heads: Head<T>[], head: Head<T>): void {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (latestFirst(heads[middle]!, head) < 0) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
}
