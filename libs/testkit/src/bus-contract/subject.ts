import { deferred, newId } from '@switchyard/base';
import {
  announcement,
  type BrokerChannel,
  type BrokerConnection,
  type Bus,
  type Consumer,
  DEAD_LETTER,
  executionChange,
  executionStatus,
  prefixed,
} from '@switchyard/messaging';
import { gathered, type Gathered } from '../gathered';

/** A broker without queues of this prefix, and ways to reach it. */
export interface BusHarness {
  readonly prefix: string;
  /**
   * Another bus, like that of another process. Its redelivery delays must be short (some milliseconds), except that
   * messages of an unknown version may wait longer.
   */
  connect(): Promise<Bus>;
  /** A direct connection to the broker. */
  raw(): Promise<BrokerConnection>;
  /** Breaks all connections made by `connect` so far; the buses reconnect by themselves. */
  dropConnections(): void;
  /** Warnings and errors that the buses logged. */
  readonly log: Gathered<string>;
  close(): Promise<void>;
}

/** What the contract's tests use: a separate broker and bus for each test, and direct access to the broker. */
export interface BusSubject {
  readonly harness: BusHarness;
  readonly bus: Bus;
  publish(...statuses: ReturnType<typeof scheduled>[]): Promise<void>;
  /** Consumes scheduled executions until the test ends. */
  takeWork(on?: Bus, prefetch?: number): Promise<{ ids: Gathered<string>; consumer: Consumer }>;
  rawChannel(): Promise<BrokerChannel>;
  rawPublish(body: string): Promise<void>;
  /** Collects the dead letters, as the names of the queues that they come from. */
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
      const consumer = await on.consume('actionrunner.work', options, async (m) => ids.add(m.id));
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

export const routed = (route: string) => announcement({ route, payload: null });

export const scheduled = (pool?: string) =>
  executionStatus({
    id: newId(),
    ref: 'core.local',
    status: 'scheduled',
    revision: 1,
    ...(pool === undefined ? {} : { pool }),
  });

export const changed = () =>
  executionChange({
    change: 'update',
    id: newId(),
    liveaction_id: newId(),
    ref: 'core.local',
    status: 'running',
    revision: 2,
    trace: null,
  });
