import { messageOf, newId, type Clock } from '@switchyard/base';
import { permitQueue, type Bus, type ReleasePermitsMessage } from '@switchyard/messaging';

/**
 * The permits of this process: each allows it to store one execution of a pool as scheduled, without asking a scheduler first. Schedulers
 * give them out while no execution waits and slots are free. They expire soon, and are taken back when executions begin to wait.
 */
export interface Permits {
  /** Uses up a permit. @returns whether there was one */
  take(pool: string): boolean;
  /** Names this process to schedulers, once they can send it permits. */
  readonly requester: string | undefined;
}

export interface PermitsDeps {
  bus: Pick<Bus, 'consume'>;
  clock: Clock;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
}

interface Held {
  count: number;
  readonly untilMs: number;
}

const PREFETCH = 20;

/** Listens for permits from the first request on, so that processes that request nothing have no queue for them. */
export function createPermits({ bus, clock, logger }: PermitsDeps): Permits {
  const id = newId();
  const held = new Map<string, Held>();
  let listening: 'not yet' | 'starting' | 'yes' = 'not yet';

  const onPermits = ({ pool, count, valid_ms: validMs }: ReleasePermitsMessage) => {
    if (count === 0) held.delete(pool);
    else held.set(pool, { count: left(pool) + count, untilMs: clock.monotonicMs() + validMs });
    return Promise.resolve();
  };
  const listen = () => {
    listening = 'starting';
    bus.consume(permitQueue(id), { prefetch: PREFETCH, name: 'permits' }, onPermits).then(
      () => (listening = 'yes'),
      (error: unknown) => {
        listening = 'not yet';
        logger.warn('Cannot receive permits; schedulers release all executions.', { error: messageOf(error) });
      },
    );
  };
  const left = (pool: string): number => {
    const of = held.get(pool);
    return of && of.untilMs > clock.monotonicMs() ? of.count : 0;
  };
  return {
    get requester() {
      return listening === 'yes' ? id : undefined;
    },
    take(pool) {
      if (listening === 'not yet') listen();
      const of = held.get(pool);
      if (!of || left(pool) === 0) return false;
      of.count -= 1;
      return true;
    },
  };
}
