import { messageOf, MS_MICROS, type Clock, together, type Id } from '@switchyard/base';
import { expressionLimits, type Config } from '@switchyard/config';
import type { Executions, LookupFor } from '@switchyard/executions';
import type { MatchEnv } from '@switchyard/expressions';
import { createService, createTask, dropAll, stopAll, type Service } from '@switchyard/host';
import type { Bus, Consumer, TriggerInstanceMessage } from '@switchyard/messaging';
import type { TriggerInstanceRecord } from '@switchyard/model';
import type { StoreWithoutExecutions, Store, TriggerInstanceEnd } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { fireDueBatches } from './correlate';
import { processPending, sweepInstances } from './process-instance';
import { createRuleBook, sharedLookup, type RuleBook } from './rule-book';

export interface RulesEngineDeps {
  config: Pick<Config, 'sweep' | 'system_user' | 'limits'>;
  store: StoreWithoutExecutions;
  bus: Bus;
  executions: Executions;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'count' | 'time'>;
  /** Reads the datastore for the patterns of criteria. When absent, patterns have no datastore. */
  lookupFor?: LookupFor;
}

const PREFETCH = 50;

/**
 * Evaluates rules for trigger instances and requests the actions of those that match. Any number of engines may run.
 *
 * 1. An instance is stored before its message is sent. The message makes an engine evaluate the rules. If a rule has to
 *    act, the engine first claims the instance by compare-and-set; otherwise one compare-and-set ends the instance.
 * 2. The sweep picks up instances whose message was lost or whose engine died: regularly, and at the start and after a
 *    lost connection to the broker all that are pending.
 * 3. Matches that wait for their quiet time are in the store with the time at which they are due. One timer is set for
 *    the next of them, and a regular check replaces the timers of dead engines.
 */
export function createRulesEngine(deps: RulesEngineDeps): Service {
  const { config, bus, clock, logger } = deps;
  const { interval_ms: everyMs, older_than_ms: olderThanMs } = config.sweep;
  const onError = (error: unknown) => logger.error('The rules engine failed; continuing.', { error: messageOf(error) });
  let consumer: Consumer | undefined;

  const wakeAt = (due: number) => timer.wakeIn(Math.max(0, (due - clock.nowMicros()) / MS_MICROS));
  const parts = partsOf(deps, wakeAt);
  const timer = createTask({
    clock,
    everyMs,
    onError,
    run: async () => {
      const next = await fireDueBatches(parts);
      if (next !== undefined) wakeAt(next);
    },
  });
  const sweep = createTask({
    clock,
    everyMs,
    onError,
    run: () => sweepInstances(parts, { pendingForMs: olderThanMs, silentForMs: olderThanMs }),
  });

  const sweepPending = () => sweepInstances(parts, { pendingForMs: 0, silentForMs: olderThanMs });
  const catchUp = createTask({ clock, onError, run: sweepPending });

  async function onInstance({ id }: TriggerInstanceMessage): Promise<void> {
    const instance = await parts.instances.get(id);
    if (instance?.status === 'pending') await processPending(parts, instance);
  }

  return createService({
    name: 'rules-engine',
    bus,
    async start() {
      consumer = await bus.consume(
        'trigger_instances_dispatch.rules_engine',
        { prefetch: PREFETCH, name: 'rules-engine' },
        onInstance,
      );
      bus.onReconnect(catchUp.wake);
      await sweepPending();
      sweep.wakeIn(everyMs);
      timer.wake();
    },
    async stop() {
      await consumer?.stop();
      await stopAll([sweep, catchUp, timer]);
    },
    kill: () => dropAll([consumer, sweep, catchUp, timer]),
  });
}

function partsOf(deps: RulesEngineDeps, wakeAt: EngineParts['wakeAt']): EngineParts {
  const { config, store, clock, lookupFor } = deps;
  const systemUser = config.system_user.user;
  return {
    ...deps,
    book: createRuleBook(store, clock),
    instances: createInstanceCalls(store),
    systemUser,
    expressionLimits: expressionLimits(config),
    ...(lookupFor ? { lookup: sharedLookup(lookupFor({ user: systemUser })) } : {}),
    wakeAt,
  };
}

/** The dependencies that the steps of the engine share. */
export interface EngineParts {
  readonly store: StoreWithoutExecutions;
  readonly executions: Pick<Executions, 'records' | 'request' | 'requestFailed' | 'results' | 'traces' | 'spans'>;
  readonly book: RuleBook;
  readonly instances: InstanceCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'count' | 'time'>;
  /** The user that the actions of rules run as. */
  readonly systemUser: string;
  /** Reads the datastore for patterns. When absent, patterns have no datastore. */
  readonly lookup?: MatchEnv['lookup'];
  /** The limits of the patterns of one rule for one event, taken together. */
  readonly expressionLimits: NonNullable<MatchEnv['allowance']>;
  /** Called when a match has to run its action later. */
  readonly wakeAt: (due: number) => void;
}

/** Store calls that every instance needs. Instances that are processed at the same time share a call. */
interface InstanceCalls {
  get(id: Id): Promise<TriggerInstanceRecord | undefined>;
  end(end: TriggerInstanceEnd): Promise<void>;
}

export function createInstanceCalls({ triggerInstances }: Pick<Store, 'triggerInstances'>): InstanceCalls {
  return {
    get: together(async (ids: readonly Id[]) => {
      const found = new Map((await triggerInstances.getAll(ids)).map((record) => [record._id, record]));
      return ids.map((id) => found.get(id));
    }),
    end: together(async (ends: readonly TriggerInstanceEnd[]) => {
      await triggerInstances.endAll(ends);
      return ends.map(() => undefined);
    }),
  };
}
