import { deferred, messageOf, MS_MICROS, type Clock } from '@switchyard/base';
import { expressionLimits, type Config } from '@switchyard/config';
import type { Executions, LookupFor } from '@switchyard/executions';
import { createTask, type Service } from '@switchyard/host';
import type { Bus, Consumer, TriggerInstanceMessage } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { fireDue } from './fire-due';
import { createInstanceCalls } from './instance-calls';
import { processPending } from './process-instance';
import { createRuleBook } from './rule-book';
import type { EngineParts } from './rules-engine-parts';
import { sharedLookup } from './shared-lookup';
import { sweepInstances } from './sweep';

export interface RulesEngineDeps {
  config: Pick<Config, 'sweep' | 'system_user' | 'limits'>;
  store: Store;
  bus: Bus;
  executions: Executions;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'count' | 'time'>;
  /** Reads the datastore for the patterns of criteria; without it there is none. */
  lookupFor?: LookupFor;
}

const PREFETCH = 50;

/**
 * Asks the rules about what happens, and requests what they want to have run. Any number of engines may run.
 *
 * 1. An instance is stored before its message is sent. The message makes an engine ask the rules. Where one of them has to
 *    act, the engine claims the instance first, by compare-and-set; where none has, one compare-and-set ends it.
 * 2. The sweep takes up instances whose message was lost or whose engine is gone, at the start and then regularly.
 * 3. Matches that wait for their quiet time are in the store with the time at which they are due; one timer wakes for the
 *    next of them, and the sweep's clock makes up for timers of engines that are gone.
 */
export function createRulesEngine(deps: RulesEngineDeps): Service {
  const { config, store, bus, clock, logger, lookupFor } = deps;
  const { interval_ms: everyMs, older_than_ms: olderThanMs } = config.sweep;
  const ended = deferred();
  const onError = (error: unknown) => logger.error('The rules engine failed; it goes on.', { error: messageOf(error) });
  let consumer: Consumer | undefined;

  const wakeAt = (due: number) => timer.wakeIn(Math.max(0, (due - clock.nowMicros()) / MS_MICROS));
  const parts: EngineParts = {
    ...deps,
    book: createRuleBook(store, clock),
    instances: createInstanceCalls(store),
    systemUser: config.system_user.user,
    expressionLimits: expressionLimits(config),
    ...(lookupFor ? { lookup: sharedLookup(lookupFor({ user: config.system_user.user })) } : {}),
    wakeAt,
  };
  const timer = createTask({
    clock,
    everyMs,
    onError,
    run: async () => {
      const next = await fireDue(parts);
      if (next !== undefined) wakeAt(next);
    },
  });
  const sweep = createTask({
    clock,
    everyMs,
    onError,
    run: () => sweepInstances(parts, { pendingForMs: olderThanMs, silentForMs: olderThanMs }),
  });

  async function onInstance({ id }: TriggerInstanceMessage): Promise<void> {
    const instance = await parts.instances.get(id);
    if (instance?.status === 'pending') await processPending(parts, instance);
  }

  return {
    name: 'rules-engine',
    async start() {
      consumer = await bus.consume<TriggerInstanceMessage>(
        'trigger_instances_dispatch.rules_engine',
        { prefetch: PREFETCH, name: 'rules-engine' },
        onInstance,
      );
      await sweepInstances(parts, { pendingForMs: 0, silentForMs: olderThanMs });
      sweep.wakeIn(everyMs);
      timer.wake();
    },
    async stop() {
      await consumer?.stop();
      await Promise.all([sweep.stop(), timer.stop()]);
      ended.resolve();
    },
    async kill() {
      for (const part of [consumer, sweep, timer]) void part?.stop();
      ended.resolve();
    },
    finished: ended.promise,
    health: () => ({ live: true, ready: bus.ready(), checks: { bus: bus.ready() ? 'ok' : 'not connected' } }),
  };
}
