import { deferred, messageOf, MS_MICROS, SECOND_MICROS, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { createCandidate, createElection, createTask, type Service } from '@switchyard/host';
import { watchQueue, type Bus, type Consumer, type RecordChangeMessage } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { fireDue } from './fire-due';
import { createTimerBook } from './timer-book';

export interface TimersDeps {
  readonly config: Pick<Config, 'timersengine' | 'instances' | 'sweep'>;
  readonly store: Pick<Store, 'triggers' | 'timers' | 'instances' | 'elections'>;
  readonly bus: Pick<Bus, 'consume' | 'ready'>;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'count' | 'time' | 'shift'>;
}

/** Waiting goes by a clock that never jumps, times go by one that may: how soon a jump is noticed. */
const RECHECK_MS = 2 * SECOND_MS;
const RETRY_MS = SECOND_MS;
/** Timers of the runtime may be early by a fraction of that. */
const LEAST_WAIT_MS = 5;
/** So many sweeps of other work go by between two looks at all triggers. */
const SWEEPS = 15;
const PREFETCH = 50;
const SERVICE = 'timers';

/**
 * Fires the timers that rules ask for.
 *
 * 1. Any number of these services may run. The one that holds the office fires; the others wait for it to be vacant.
 * 2. The next time of each timer is in the store, and there is one timer in memory, for the earliest of them.
 * 3. A tick is stored under a key of its timer and its time, so that none is fired twice (`fireDue`); those that became
 *    due while nobody held the office are still there for the next holder (`planTick`).
 * 4. Messages about triggers wake it, a slow look at all of them makes up for lost ones.
 */
export function createTimers(deps: TimersDeps): Service {
  const { config, store, bus, clock, logger, metrics } = deps;
  const { enable, local_timezone: localZone, misfire: policy, misfire_grace: graceSeconds } = config.timersengine;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const sweepMs = config.sweep.interval_ms * SWEEPS;
  const misfire = { policy, grace: graceSeconds * SECOND_MICROS };
  const book = createTimerBook({ store, clock, logger, localZone, grace: misfire.grace });
  const candidate = createCandidate({
    instances: store.instances,
    clock,
    logger,
    service: SERVICE,
    heartbeatMs,
    leaseMs,
  });
  const ended = deferred();
  const changed = new Set<string>();
  let consumer: Consumer | undefined;
  let readAt: number | undefined;
  let shown = 0;

  const election = createElection({
    elections: store.elections,
    clock,
    logger,
    candidate,
    office: SERVICE,
    onElected: () => readAfresh(),
    onDeposed: () => readAfresh(),
  });

  const ticks = createTask({
    clock,
    everyMs: RECHECK_MS,
    onError: (error) => logger.error('Timers could not be fired; trying on.', { error: messageOf(error) }),
    async run() {
      if (!election.isHeld() || !book.isComplete) return;
      const asked = clock.nowMicros();
      const { moved, stuck } = await fireDue({ ...deps, book, misfire, isHeld: election.isHeld }, asked);
      // Whatever became due while it fired counts too.
      const next = await store.timers.nextDue(asked);
      if (moved > 0) ticks.wake();
      if (stuck > 0) ticks.wakeIn(RETRY_MS);
      if (next === undefined) return;
      const waitMs = (next - clock.nowMicros()) / MS_MICROS;
      if (waitMs <= 0) ticks.wake();
      else ticks.wakeIn(Math.min(RECHECK_MS, Math.max(LEAST_WAIT_MS, waitMs)));
    },
  });

  const reading = createTask({
    clock,
    everyMs: sweepMs,
    onError: (error) => {
      logger.error('The timers could not be read; trying on.', { error: messageOf(error) });
      readAt = undefined;
      reading.wakeIn(RETRY_MS);
    },
    async run() {
      if (!election.isHeld()) return;
      const ids = [...changed];
      changed.clear();
      if (readAt === undefined || clock.monotonicMs() - readAt >= sweepMs) {
        readAt = clock.monotonicMs();
        await book.readAll();
      } else for (const id of ids) await book.read(id);
      show();
      ticks.wake();
    },
  });

  function readAfresh(): void {
    readAt = undefined;
    changed.clear();
    book.clear();
    show();
    reading.wake();
  }

  function show(): void {
    metrics.shift('timers.active', book.size - shown);
    shown = book.size;
  }

  async function onChange({ id }: RecordChangeMessage): Promise<void> {
    if (!election.isHeld()) return;
    changed.add(id);
    reading.wake();
  }

  async function stop(): Promise<void> {
    await consumer?.stop();
    await Promise.all([ticks.stop(), reading.stop()]);
    try {
      await election.stop();
    } finally {
      await candidate.stop();
      ended.resolve();
    }
  }

  return {
    name: SERVICE,
    async start() {
      if (!enable) {
        logger.info('Timers are switched off (timersengine.enable).');
        return ended.resolve();
      }
      consumer = await bus.consume<RecordChangeMessage>(
        watchQueue('trigger', 'St2Timer'),
        { prefetch: PREFETCH, name: SERVICE },
        onChange,
      );
      await candidate.start();
      await election.start();
    },
    async stop() {
      if (enable) await stop();
    },
    async kill() {
      if (enable) void stop().catch(() => undefined);
      ended.resolve();
    },
    finished: ended.promise,
    health: () => ({
      live: true,
      ready: !enable || bus.ready(),
      checks: { bus: bus.ready() ? 'ok' : 'not connected' },
    }),
  };
}
