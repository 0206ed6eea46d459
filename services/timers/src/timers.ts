import { deferred, SECOND_MICROS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { createLeadership, createService, stopAll, type Service } from '@switchyard/host';
import { watchQueue, type Bus, type Consumer } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { createTickTask } from './tick-task';
import { createTimerBook } from './timer-book';
import { createTimerReader } from './timer-reader';

export interface TimersDeps {
  readonly config: Pick<Config, 'timersengine' | 'instances' | 'sweep'>;
  readonly store: Pick<Store, 'triggers' | 'timers' | 'instances' | 'elections'>;
  readonly bus: Pick<Bus, 'consume' | 'ready'>;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'count' | 'time' | 'shift'>;
}

/** All triggers are read once in this many sweep intervals. */
const SWEEPS = 15;
const PREFETCH = 50;
const SERVICE = 'timers';

/**
 * Fires the timers that rules use.
 *
 * 1. Any number of these services may run. The leader fires timers; the others wait to be elected.
 * 2. The next time of each timer is in the store. One timer in memory is set for the earliest of them.
 * 3. A tick is stored under a key of its timer and its time, so that none fires twice (`fireDue`). Ticks that became due
 *    while there was no leader are still there for the next one (`planTick`).
 * 4. Messages about triggers wake it; a slow sweep over all triggers replaces lost messages.
 */
export function createTimers(deps: TimersDeps): Service {
  const { config, store, bus, clock, logger } = deps;
  const { enable, local_timezone: localZone, misfire: policy, misfire_grace: graceSeconds } = config.timersengine;
  const misfire = { policy, grace: graceSeconds * SECOND_MICROS };
  const book = createTimerBook({ store, clock, logger, localZone, grace: misfire.grace });
  const leadership = createLeadership({
    ...deps,
    service: SERVICE,
    onElected: () => reader.readAfresh(),
    onDeposed: () => reader.readAfresh(),
  });
  const { isHeld } = leadership;
  const ticks = createTickTask({ ...deps, book, misfire, isHeld, onSetBack: () => reader.readAfterSetBack() });
  const reader = createTimerReader({
    ...deps,
    book,
    everyMs: config.sweep.interval_ms * SWEEPS,
    isHeld,
    onRead: ticks.wake,
  });
  const ended = deferred();
  let consumer: Consumer | undefined;

  async function stop(): Promise<void> {
    await consumer?.stop();
    await stopAll([ticks, reader]);
    await leadership.stop();
  }

  return createService({
    name: SERVICE,
    bus,
    ended,
    async start() {
      if (!enable) {
        logger.info('Timers are disabled (timersengine.enable).');
        return ended.resolve();
      }
      consumer = await bus.consume(
        watchQueue('trigger', 'St2Timer'),
        { prefetch: PREFETCH, name: SERVICE },
        async ({ id }) => reader.onChange(id),
      );
      await leadership.start();
    },
    async stop() {
      if (enable) await stop();
    },
    kill() {
      if (enable) void stop().catch(() => undefined);
    },
    isReady: () => !enable || bus.ready(),
  });
}
