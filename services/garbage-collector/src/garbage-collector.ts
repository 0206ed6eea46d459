import { deferred, messageOf, MS_MICROS, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { createInquiries, type Executions } from '@switchyard/executions';
import { createCandidate, createElection, createTask, type Service } from '@switchyard/host';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { createInquiryLimits } from './inquiry-limits';

export interface GarbageCollectorDeps {
  readonly config: Pick<Config, 'garbagecollector' | 'instances' | 'sweep'>;
  readonly store: Pick<Store, 'executions' | 'instances' | 'elections'>;
  readonly executions: Pick<Executions, 'results' | 'transition'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const SERVICE = 'garbage-collector';
/** So many sweeps of other work go by between two looks at all open inquiries: less than a minute, their unit. */
const SWEEPS = 15;
/** Waiting goes by a clock that never jumps, limits go by one that may: how soon a jump is noticed. */
const RECHECK_MS = 10 * SECOND_MS;

/**
 * Ends what nobody waits for any more: inquiries whose time has passed.
 *
 * 1. Any number of these services may run. The one that holds the office works; the others wait for it to be vacant.
 * 2. What is done is a compare-and-set, so that two that take turns undo nothing.
 * 3. One timer in memory is set for the inquiry that is due next; a slow look at all of them finds new ones.
 * 4. What goes wrong with one inquiry is no matter of the others.
 */
export function createGarbageCollector(deps: GarbageCollectorDeps): Service {
  const { config, store, executions, clock, logger } = deps;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const { purge_inquiries: enabled } = config.garbagecollector;
  const ended = deferred();
  const identity = { clock, logger, service: SERVICE, heartbeatMs, leaseMs };
  const candidate = createCandidate({ instances: store.instances, ...identity });
  const election = createElection({
    elections: store.elections,
    clock,
    logger,
    candidate,
    office: SERVICE,
    onElected: () => reading.wake(),
    onDeposed: () => limits.clear(),
  });
  const limits = createInquiryLimits({
    store,
    inquiries: createInquiries({ store, executions }),
    clock,
    logger,
    isHeld: election.isHeld,
  });
  const onError = (error: unknown) =>
    logger.error('Inquiries could not be looked at; trying on.', { error: messageOf(error) });

  const reading = createTask({
    clock,
    everyMs: config.sweep.interval_ms * SWEEPS,
    onError,
    async run() {
      if (!election.isHeld()) return;
      await limits.read();
      enforcing.wake();
    },
  });
  const enforcing = createTask({
    clock,
    onError,
    async run() {
      if (!election.isHeld()) return;
      const next = await limits.enforce();
      if (next === undefined) return;
      enforcing.wakeIn(Math.min(RECHECK_MS, Math.max(0, (next - clock.nowMicros()) / MS_MICROS)));
    },
  });

  async function stop(): Promise<void> {
    await Promise.all([reading.stop(), enforcing.stop()]);
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
      if (!enabled) {
        logger.info('Inquiries wait for ever (garbagecollector.purge_inquiries).');
        return;
      }
      await candidate.start();
      await election.start();
      reading.wake();
    },
    async stop() {
      if (enabled) await stop();
      else ended.resolve();
    },
    async kill() {
      if (enabled) void stop().catch(() => undefined);
      ended.resolve();
    },
    finished: ended.promise,
    health: () => ({ live: true, ready: true, checks: { office: election.isHeld() ? 'held' : 'not held' } }),
  };
}
