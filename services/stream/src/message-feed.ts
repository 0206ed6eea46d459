import {
  watchQueue,
  type AnnouncementMessage,
  type Bus,
  type Consumer,
  type ExchangeName,
  type MessageBody,
} from '@switchyard/messaging';

/** A message of the bus, with the exchange whose events it leads to. */
export interface FeedItem {
  readonly exchange: ExchangeName;
  readonly message: MessageBody;
}

/** Everything that streams are made of, for as many listeners as there are. */
export interface MessageFeed {
  /** Resolves once messages are being received. @returns a function that takes the listener off again */
  listen(listener: (item: FeedItem) => Promise<void>): Promise<() => void>;
  /** Does not wait for a broker that is away. */
  stop(): Promise<void>;
}

const EXCHANGES: readonly ExchangeName[] = ['execution', 'execution.output', 'announcement', 'actionalias'];

/** An execution and its live action are one record: a change of it is an event of both, in this order. */
const itemsOf = (exchange: ExchangeName, message: MessageBody): FeedItem[] =>
  (exchange === 'execution' ? (['liveaction', 'execution'] as const) : [exchange]).map((from) => ({
    exchange: from,
    message,
  }));

const PREFETCH = 100;

/**
 * Watches the bus while anybody listens, and not otherwise: without readers, messages cost nothing. Messages are passed
 * on one after the other, so that every listener sees them in the order in which they came.
 */
export function createMessageFeed(bus: Bus): MessageFeed {
  const listeners = new Set<(item: FeedItem) => Promise<void>>();
  const ending = new AbortController();
  let watching: Promise<Consumer[]> | undefined;
  let passing: Promise<void> = Promise.resolve();
  let leaving: Promise<unknown> = Promise.resolve();

  const pass = (item: FeedItem): Promise<void> => {
    passing = passing.then(async () => {
      // What one listener cannot do with a message is its own affair.
      await Promise.allSettled([...listeners].map((listener) => listener(item)));
    });
    return passing;
  };
  const watch = () =>
    Promise.all(
      EXCHANGES.map((exchange) =>
        bus.consume<MessageBody | AnnouncementMessage>(
          watchQueue(exchange, 'stream'),
          { prefetch: PREFETCH, name: `stream-${exchange}`, signal: ending.signal },
          async (message) => {
            await Promise.all(itemsOf(exchange, message).map(pass));
          },
        ),
      ),
    );
  const unwatch = async () => {
    // Forgotten at once: whoever comes while these are being stopped watches anew.
    const watched = watching;
    watching = undefined;
    const consumers = (await watched?.catch(() => [])) ?? [];
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  };
  return {
    async listen(listener) {
      listeners.add(listener);
      const leave = () => {
        if (listeners.delete(listener) && listeners.size === 0) leaving = Promise.all([leaving, unwatch()]);
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
      listeners.clear();
      ending.abort();
      await Promise.all([leaving, unwatch()]);
    },
  };
}
