import { watchQueue, type Bus, type Consumer, type ExchangeName, type MessageOn } from '@switchyard/messaging';

/** The exchanges whose messages become events. */
const EXCHANGES = ['execution', 'execution.output', 'announcement', 'actionalias'] as const;
type Watched = (typeof EXCHANGES)[number];

type ItemOf<E extends ExchangeName> = E extends ExchangeName
  ? { readonly exchange: E; readonly message: MessageOn<E> }
  : never;

/** A message of the bus, with the exchange that names its events. */
export type FeedItem = ItemOf<Watched> | { readonly exchange: 'liveaction'; readonly message: MessageOn<'execution'> };

type Listener = (item: FeedItem) => Promise<void>;

/** The messages that streams are made of, for any number of listeners. */
export interface MessageFeed {
  /**
   * Each listener gets every message, in order and one at a time, at its own pace: a slow one does not delay the others.
   * @param onOverrun called when the listener has fallen too far behind; then it gets no further messages
   * @returns a function that removes the listener, once messages are being received
   */
  listen(listener: Listener, onOverrun?: () => void): Promise<() => void>;
  /** Does not wait for an unavailable broker. */
  stop(): Promise<void>;
}

/** An execution and its live action are one record: a change of it is an event of both, in this order. */
const itemsOf = (item: ItemOf<Watched>): FeedItem[] =>
  item.exchange === 'execution' ? [{ ...item, exchange: 'liveaction' }, item] : [item];

/** The messages of single executions that a message stands for. */
function singly(item: ItemOf<Watched>): ItemOf<Watched>[] {
  if (item.exchange !== 'execution' || !item.message.others) return [item];
  const { others, ...message } = item.message;
  return [
    { exchange: 'execution', message },
    ...others.map(([id, liveaction_id]) => ({
      exchange: 'execution' as const,
      message: { ...message, id, liveaction_id },
    })),
  ];
}

const PREFETCH = 100;
/** A listener with more messages waiting than this is removed. */
const MOST_WAITING = 10_000;

/**
 * 1. The bus is watched only while there are listeners, so without readers, messages cost nothing. 2. Every listener
 *    has its own queue, to which messages are added in order of arrival.
 * 3. A message is acknowledged when the fastest listener is done with it. So the feed keeps pace with the store, and no
 *    listener can stop it.
 */
export function createMessageFeed(bus: Bus): MessageFeed {
  const queues = new Set<ListenerQueue>();
  const ending = new AbortController();
  let watching: Promise<Consumer[]> | undefined;
  let leaving: Promise<unknown> = Promise.resolve();

  const pass = (item: FeedItem): Promise<void> =>
    new Promise((resolve) => {
      if (queues.size === 0) resolve();
      for (const queue of queues) queue.add(item, resolve);
    });
  const passAll = async (item: ItemOf<Watched>): Promise<void> => {
    await Promise.all(itemsOf(item).map(pass));
  };
  const watch = () =>
    Promise.all(
      EXCHANGES.map((exchange) =>
        bus.consume(
          watchQueue(exchange, 'stream'),
          { prefetch: PREFETCH, name: `stream-${exchange}`, signal: ending.signal },
          inOrder((message) => singly({ exchange, message } as ItemOf<Watched>), passAll),
        ),
      ),
    );
  const unwatch = async () => {
    // Cleared immediately, so that a listener that arrives while these stop starts new ones.
    const watched = watching;
    watching = undefined;
    const consumers = (await watched?.catch(() => [])) ?? [];
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  };
  return {
    async listen(listener, onOverrun) {
      const queue = listenerQueue(listener, () => {
        leave();
        onOverrun?.();
      });
      queues.add(queue);
      const leave = () => {
        queue.close();
        if (queues.delete(queue) && queues.size === 0) leaving = Promise.all([leaving, unwatch()]);
      };
      try {
        await (watching ??= watch());
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    async stop() {
      for (const queue of queues) queue.close();
      queues.clear();
      ending.abort();
      await Promise.all([leaving, unwatch()]);
    },
  };
}

/**
 * Handles the parts of a message. Those of a message with several parts follow one another, so that listeners do not get thousands of items
 * at once, and later messages wait for them.
 */
function inOrder<M, P>(
  partsOf: (message: M) => readonly P[],
  handle: (part: P) => Promise<void>,
): (message: M) => Promise<void> {
  let before = Promise.resolve();
  return (message) => {
    const parts = partsOf(message);
    const handled = before.then(async () => {
      for (const part of parts) await handle(part);
    });
    if (parts.length > 1) before = handled.catch(() => undefined);
    return handled;
  };
}

/** The messages that one listener has not handled yet. */
interface ListenerQueue {
  /** @param done called when the listener has handled the item, or is gone */
  add(item: FeedItem, done: () => void): void;
  close(): void;
}

function listenerQueue(listener: Listener, onOverrun: () => void): ListenerQueue {
  const waiting: { readonly item: FeedItem; readonly done: () => void }[] = [];
  let isWorking = false;
  const work = async () => {
    isWorking = true;
    for (let next = waiting[0]; next; next = waiting[0]) {
      // A listener handles its own errors.
      await listener(next.item).catch(() => undefined);
      next.done();
      waiting.shift();
    }
    isWorking = false;
  };
  return {
    add(item, done) {
      waiting.push({ item, done });
      if (waiting.length > MOST_WAITING) onOverrun();
      else if (!isWorking) void work();
    },
    close() {
      for (const { done } of waiting.splice(0)) done();
    },
  };
}
