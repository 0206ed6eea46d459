import { amqpFromClient, amqpFromServer, countWire, mongoCalls, type WireCounter } from './wire-counter';

/** The calls of one process since the last query. */
export interface ServiceCalls {
  readonly service: string;
  readonly store: Map<string, number>;
  readonly broker: Map<string, number>;
}

interface Addresses {
  readonly mongo: string;
  readonly rabbit: string;
}

/** Counts the calls of processes that connect to the servers through it. */
export interface CallCounters {
  /** The environment of the process with this position, which sends it through the counter. */
  environment(index: number): Record<string, string>;
  take(names: readonly string[]): ServiceCalls[];
  close(): void;
}

/** @param count how many processes there can be */
export async function openCallCounters({ mongo, rabbit }: Addresses, count: number): Promise<CallCounters> {
  const counters: { readonly store: WireCounter; readonly broker: WireCounter }[] = [];
  for (let index = 0; index < count; index++) {
    counters.push({
      store: await countWire(Number(new URL(mongo).port), mongoCalls),
      broker: await countWire(Number(new URL(rabbit).port), amqpFromClient, amqpFromServer),
    });
  }
  return {
    environment: (index) => ({
      SVC_DATABASE__HOST: withPort(mongo, counters[index]?.store.port),
      SVC_MESSAGING__URL: withPort(rabbit, counters[index]?.broker.port),
    }),
    take: (names) =>
      names.map((service, index) => ({
        service,
        store: counters[index]?.store.take() ?? new Map(),
        broker: counters[index]?.broker.take() ?? new Map(),
      })),
    close() {
      for (const { store, broker } of counters) for (const each of [store, broker]) each.close();
    },
  };
}

const withPort = (url: string, port = 0): string => url.replace(/:\d+(?=\/|$)/, `:${port}`);
