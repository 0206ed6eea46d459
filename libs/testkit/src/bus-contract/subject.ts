import { deferred } from '@switchyard/base';
import {
  DEAD_LETTER,
  prefixed,
  type BrokerChannel,
  type BrokerConnection,
  type Bus,
  type Consumer,
  type ExecutionStatusMessage,
} from '@switchyard/messaging';
import { gathered, type Gathered } from '../gathered';
import type { scheduled } from './messages';

/** A broker that is empty of this prefix, and ways to reach it. */
export interface BusHarness {
  readonly prefix: string;
  /**
   * A further bus, as another process would have it. Its redelivery delays must be short (some milliseconds) but the
   * delivery of an unknown version may wait longer.
   */
  connect(): Promise<Bus>;
  /** A connection to the broker, to look behind the bus. */
  raw(): Promise<BrokerConnection>;
  /** Breaks every connection that `connect` has made so far; the buses find back by themselves. */
  dropConnections(): void;
  /** What the buses have logged as warnings and errors. */
  readonly log: Gathered<string>;
  close(): Promise<void>;
}

/** What the tests of the contract work on: a broker and a bus of each test's own, and ways to look behind the bus. */
export interface BusSubject {
  readonly harness: BusHarness;
  readonly bus: Bus;
  publish(...statuses: ReturnType<typeof scheduled>[]): Promise<void>;
  /** Takes scheduled executions with a bus until the test ends. */
  takeWork(on?: Bus, prefetch?: number): Promise<{ ids: Gathered<string>; consumer: Consumer }>;
  rawChannel(): Promise<BrokerChannel>;
  rawPublish(body: string): Promise<void>;
  /** What arrives in the dead-letter queue: the names of the queues it comes from. */
  deadLetters(): Promise<Gathered<string>>;
}

export function busSubject(parts: () => Pick<BusSubject, 'harness' | 'bus'>): BusSubject {
  const rawChannel = async () => (await parts().harness.raw()).createConfirmChannel();
  const named = (queue: string) => prefixed(parts().harness.prefix, queue);
  return {
    get harness() {
      return parts().harness;
    },
    get bus() {
      return parts().bus;
    },
    publish: (...statuses) => parts().bus.publisher().publishAll(statuses),
    async takeWork(on = parts().bus, prefetch = 10) {
      const ids = gathered<string>();
      const options = { prefetch, name: 'test' };
      const consumer = await on.consume<ExecutionStatusMessage>('actionrunner.work', options, async (m) =>
        ids.add(m.id),
      );
      return { ids, consumer };
    },
    rawChannel,
    async rawPublish(body) {
      const [channel, done] = [await rawChannel(), deferred()];
      channel.publish(named('liveaction.status'), 'scheduled', Buffer.from(body), {}, () => done.resolve());
      await done.promise;
    },
    async deadLetters() {
      const names = gathered<string>();
      const channel = await rawChannel();
      await channel.consume(named(DEAD_LETTER), (message) => {
        names.add(message!.fields.routingKey);
        channel.ack(message!);
      });
      return names;
    },
  };
}

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export async function untilReady(bus: Bus): Promise<void> {
  while (!bus.ready()) await turn();
}
