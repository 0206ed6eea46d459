import type { Consumer } from '@switchyard/messaging';
import { createTriggers } from '@switchyard/triggers';
import { testClock, type TestPlatform } from '@switchyard/testkit/platform';
import { createTimers } from '../src';

/** A timers service that can be killed or suspended at any instant, in the middle of a store operation. */
export interface Mortal {
  start(): Promise<void>;
  /** Like kill -9: writes already sent to the store may arrive, but no response is received. */
  kill(): Promise<void>;
  /** Like SIGSTOP. */
  freeze(): void;
  /** Like SIGCONT: continues in the middle of its work. */
  thaw(): void;
  /** Stops regularly. */
  stop(): Promise<void>;
  leads(): Promise<boolean>;
}

export function mortal({ store, bus, config, logger, metrics }: TestPlatform): Mortal {
  const clock = testClock();
  const consumers: Consumer[] = [];
  let gate: Promise<void> | undefined;
  let open = () => undefined as void;
  let holder = '';

  /** Calls wait at the gate, before and after they reach the store. */
  const gated = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name) {
        const member: unknown = Reflect.get(from, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          await gate;
          const result: unknown = await Reflect.apply(member, from, args);
          await gate;
          return result;
        };
      },
    });
  const close = () => {
    clock.freeze();
    gate ??= new Promise((resolve) => (open = resolve));
  };

  const triggers = createTriggers({ store, publisher: bus.publisher(), config, clock, logger });
  const instances = gated(store.instances);
  const service = createTimers({
    config,
    clock,
    logger,
    metrics,
    store: {
      triggers: gated(store.triggers),
      timers: gated(store.timers),
      elections: gated(store.elections),
      instances: {
        ...instances,
        register(record) {
          holder = record._id;
          return instances.register(record);
        },
        beat: (id) => instances.beat(id),
        remove: (id) => instances.remove(id),
        list: (name) => instances.list(name),
      },
    },
    bus: {
      ready: bus.ready,
      async consume(queue, options, handler) {
        const consumer = await bus.consume(queue, options, handler);
        consumers.push(consumer);
        return consumer;
      },
    },
    dispatch: gated({ dispatch: triggers.dispatch }).dispatch,
  });
  return {
    start: service.start,
    async kill() {
      close();
      for (const consumer of consumers) await consumer.stop();
    },
    freeze: close,
    thaw() {
      gate = undefined;
      open();
      clock.thaw();
    },
    stop: service.stop,
    leads: async () => (await store.elections.get('timers'))?.holder === holder,
  };
}
