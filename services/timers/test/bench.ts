import type { ConfigOverrides } from '@switchyard/config';
import { recordChange } from '@switchyard/messaging';
import type { TriggerInstanceRecord, TriggerRecord } from '@switchyard/model';
import {
  eventually,
  handClock,
  openTestPlatform,
  type HandClock,
  type TestPlatform,
} from '@switchyard/testkit/platform';
import { createTriggers, INTERVAL_TIMER, parametersHash, type Triggers } from '@switchyard/triggers';
import { newId } from '@switchyard/base';
import { createTimers, type TimersDeps } from '../src';

/** Moving the clock by an hour must not look like an hour without a heartbeat. */
const PATIENT: ConfigOverrides = { instances: { heartbeat_ms: 1e9, lease_ms: 1e10 } };

/** A platform with a manual clock and the timers service. */
export interface Bench {
  readonly platform: TestPlatform;
  readonly clock: HandClock;
  readonly triggers: Triggers;
  service: ReturnType<typeof createTimers>;
  /** Stores a trigger and announces it, unless the message is to be lost. */
  add(type: string, parameters: Record<string, unknown>, options?: AddOptions): Promise<TriggerRecord>;
  remove(trigger: TriggerRecord): Promise<void>;
  instances(trigger: TriggerRecord): Promise<TriggerInstanceRecord[]>;
  /** Waits until this many ticks of a trigger are stored. */
  ticks(trigger: TriggerRecord, count: number): Promise<TriggerInstanceRecord[]>;
  /** The time at which a trigger is due next, once the service has entered it. */
  due(trigger: TriggerRecord): Promise<string | undefined>;
  /** Waits until it is due at that time. */
  untilDue(trigger: TriggerRecord, iso: string): Promise<void>;
  /** Starts another service on the same platform. */
  start(deps?: Partial<TimersDeps>): Promise<Bench['service']>;
  stop(): Promise<void>;
}

export interface AddOptions {
  silently?: boolean;
  id?: string;
  name?: string;
}

const START = Date.UTC(2030, 0, 1);

export async function startBench(
  overrides: ConfigOverrides = {},
  later: (release: () => unknown) => void = () => undefined,
): Promise<Bench> {
  const platform = await openTestPlatform({ ...PATIENT, ...overrides });
  later(() => platform.close());
  const clock = handClock(START);
  const { store, bus, config, logger, metrics } = platform;
  const triggers = createTriggers({ store, publisher: bus.publisher(), config, clock, logger });
  const common = { config, store, bus, clock, logger, metrics, dispatch: triggers.dispatch };
  const running: Bench['service'][] = [];
  const bench: Bench = {
    platform,
    clock,
    triggers,
    service: createTimers(common),
    async add(type, parameters, { silently = false, id = newId(), name = newId() } = {}) {
      const trigger = await store.triggers.insert(aTrigger(type, parameters, id, name));
      if (!silently) await tell(platform, 'create', trigger);
      return trigger;
    },
    async remove(trigger) {
      await store.triggers.remove(trigger._id);
      await tell(platform, 'delete', trigger);
    },
    instances: ({ ref }) => store.triggerInstances.list({ filter: { trigger: ref }, sort: { _id: 1 } }),
    ticks: (trigger, count) =>
      eventually(
        async () => {
          const found = await bench.instances(trigger);
          return found.length >= count && found;
        },
        () => `${count} ticks of ${trigger.ref}`,
      ),
    async due({ _id }) {
      const record = await store.timers.get(_id);
      return record?.due_at === undefined ? undefined : new Date(record.due_at / 1000).toISOString();
    },
    async untilDue(trigger, iso) {
      let last: string | undefined;
      await eventually(
        async () => (last = await bench.due(trigger)) === iso,
        () => `${trigger.ref} to be due at ${iso}, it is ${last}`,
      );
    },
    async start(deps = {}) {
      bench.service = createTimers({ ...common, ...deps });
      running.push(bench.service);
      await bench.service.start();
      return bench.service;
    },
    async stop() {
      for (const service of running.splice(0)) await service.stop();
    },
  };
  later(() => bench.stop());
  return bench;
}

export const aTrigger = (
  type: string,
  parameters: Record<string, unknown>,
  id = newId(),
  name = newId(),
): TriggerRecord => ({
  _id: id,
  ref: `core.${name}`,
  uid: `trigger:core:${name}:0`,
  name,
  pack: 'core',
  type,
  parameters,
  parameters_hash: parametersHash(parameters),
});

export const tell = (
  { bus }: Pick<TestPlatform, 'bus'>,
  change: 'create' | 'update' | 'delete',
  { _id, ref }: TriggerRecord,
): Promise<void> => bus.publisher().publish(recordChange({ record: 'trigger', change, id: _id, ref }));

/** A timer with an interval in seconds. */
export const everySeconds = (delta: number): [string, Record<string, unknown>] => [
  INTERVAL_TIMER,
  { unit: 'seconds', delta },
];
