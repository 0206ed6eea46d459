import type { AccessControl } from '@switchyard/identity';
import { anonymousAuthenticator } from '@switchyard/identity';
import type { Bus } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import { startSystem, type SystemOptions, type TestSystem } from '@switchyard/testkit/system';
import { createStreamService } from '../src';
import { readEvents, type EventReader, type ReadEvent } from './event-reader';

export interface StreamSystemOptions extends SystemOptions {
  /** The parts of the system that the stream service sees. */
  seen?: (platform: TestSystem['platform']) => { store?: Store; bus?: Bus };
  access?: AccessControl;
  /** A user who is not an administrator, to whom the roles of `access` apply. Default: everybody is an
   * administrator. */
  admits?: string;
}

export interface StreamSystem {
  readonly system: TestSystem;
  readonly service: ReturnType<typeof createStreamService>;
  open(path: string): Promise<EventReader>;
  /** The number of consumers of the stream service. */
  consumers(): number;
  close(): Promise<void>;
}

/** A system with a stream service. */
export async function streamSystem({
  seen,
  access,
  admits,
  ...options
}: StreamSystemOptions = {}): Promise<StreamSystem> {
  const system = await startSystem(options);
  await system.register({ parameters: { pin: { type: 'string', secret: true } } });
  const { config, bus, store, clock, logger } = system.platform;
  const part = { store, bus, ...seen?.(system.platform) };
  const watched = countingBus(part.bus);
  const service = createStreamService({
    config: { ...config, stream: { ...config.stream, port: 0 } },
    bus: watched.bus,
    store: part.store,
    clock,
    logger,
    executions: { ...system.executions, records: part.store.executions },
    authenticate:
      admits === undefined
        ? anonymousAuthenticator('ada')
        : () => Promise.resolve({ requester: requesterNamed(admits) }),
    ...(access ? { access } : {}),
  });
  await service.start();
  return {
    system,
    service,
    open: (path) => readEvents(service.address().port, path),
    consumers: watched.count,
    async close() {
      await service.stop();
      await system.close();
    },
  };
}

const requesterNamed = (user: string) => ({ user, method: 'token', location: 'header', isAdmin: false }) as const;

function countingBus(bus: Bus) {
  let count = 0;
  const counting: Bus = {
    ...bus,
    async consume(...given) {
      const consumer = await bus.consume(...given);
      count++;
      return {
        ...consumer,
        async stop() {
          await consumer.stop();
          count--;
        },
      };
    },
  };
  return { bus: counting, count: () => count };
}

export const named = (events: readonly ReadEvent[], name: string): ReadEvent[] =>
  events.filter((event) => event.name === name);

export const statuses = (events: readonly ReadEvent[]): unknown[] => events.map(({ body }) => body.status);
