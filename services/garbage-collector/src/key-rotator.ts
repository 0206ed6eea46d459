import { messageOf, SECOND_MS, slices, type Clock } from '@switchyard/base';
import type { Config, Paths } from '@switchyard/config';
import {
  createLeadership,
  createService,
  createTask,
  KEY_ROTATOR,
  observeInstances,
  PROCESS,
  type Service,
} from '@switchyard/host';
import { storeRotation, type Advance, type KeySource, type Resealer, type Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

export interface KeyRotatorDeps {
  readonly config: Pick<Config, 'instances' | 'keyvalue' | 'sweep'>;
  readonly paths: Pick<Paths, 'recordKey' | 'datastoreKey'>;
  readonly store: Pick<Store, 'instances' | 'elections' | 'keyRotations' | 'walk'>;
  readonly recordKeys: KeySource;
  readonly itemResealer: () => Promise<Resealer | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** While there is nothing to do, the records of dead processes are removed once in this many rounds. */
const LOOKS = 4;
/** How long it works before it checks whether it is still the leader, and whether it should stop. */
const STRETCH_MS = SECOND_MS / 2;

/** Carries out rotations of keys. Any number of these may run: the leader works, and another one continues if it dies. */
export function createKeyRotator(deps: KeyRotatorDeps): Service {
  const { config, store, clock, logger } = deps;
  const leadership = createLeadership({
    ...deps,
    service: KEY_ROTATOR,
    onElected: () => rotating.wake(),
    onDeposed: () => undefined,
  });
  const observer = observeInstances(store.instances, clock, config.instances.lease_ms);
  const holders = async () => {
    const { alive, dead } = await observer.look(PROCESS);
    for (const { _id } of dead) await store.instances.remove(_id);
    return alive;
  };
  const graceMs = config.instances.lease_ms;
  const advance = storeRotation({ ...deps, holders, nowMicros: clock.nowMicros, graceMs });
  let outcome: Advance | undefined;
  let rounds = 0;
  const rotating = createTask({
    clock,
    everyMs: config.sweep.interval_ms,
    onError: (error) => logger.error('The rotation of keys failed; retrying.', { error: messageOf(error) }),
    async run() {
      if (!leadership.isHeld()) return;
      // A rotation has to know which processes are dead.
      if (outcome !== 'settled' || rounds++ % LOOKS === 0) await holders();
      const slice = slices();
      const endMs = clock.monotonicMs() + STRETCH_MS;
      while (leadership.isHeld() && (outcome = await advance()) === 'more') {
        if (clock.monotonicMs() >= endMs) return rotating.wake();
        await slice.pause();
      }
    },
  });
  const stop = async () => {
    await rotating.stop();
    await leadership.stop();
  };
  return createService({
    name: KEY_ROTATOR,
    async start() {
      await leadership.start();
      rotating.wake();
    },
    stop,
    kill: () => void stop().catch(() => undefined),
    checks: () => ({ 'key-rotation': leadership.isHeld() ? 'held' : 'not held' }),
  });
}

/** Runs a rotator together with a service. */
export const withKeyRotator = (service: Service, rotator: Service): Service => ({
  ...service,
  async start() {
    await service.start();
    await rotator.start();
  },
  async stop() {
    await rotator.stop();
    await service.stop();
  },
  async kill() {
    await Promise.all([rotator.kill(), service.kill()]);
  },
});
