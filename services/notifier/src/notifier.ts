import { deferred, messageOf, type Clock } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { Service } from '@switchyard/host';
import { triggerInstance, type Bus, type Consumer, type ExecutionChangeMessage } from '@switchyard/messaging';
import { isStatus, isTerminal, type ExecutionRecord, type TriggerInstanceRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { defaultMessage, notifications, sectionsFor, type SectionName } from './notification';
import { renderSection, type SectionContext } from './render-section';

export interface NotifierDeps {
  store: Store;
  bus: Bus;
  executions: Executions;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'time'>;
}

const PREFETCH = 50;

/**
 * Tells the rest of the system about executions that have ended and ask for it: a trigger instance for each route of
 * their notify sections. The instances are stored before the execution's `due` mark is taken off.
 */
export function createNotifier(deps: NotifierDeps): Service {
  const { bus, store } = deps;
  const ended = deferred();
  let consumer: Consumer | undefined;

  async function onChange({ id, status, due }: ExecutionChangeMessage): Promise<void> {
    if (!isStatus(status) || !isTerminal(status) || !due?.includes('notifier')) return;
    const record = await store.executions.get(id);
    if (!record?.due?.includes('notifier')) return;
    await notify(deps, record);
    await store.executions.settle([id], 'notifier');
  }

  return {
    name: 'notifier',
    async start() {
      consumer = await bus.consume<ExecutionChangeMessage>(
        'notifiers.execution.work',
        { prefetch: PREFETCH, name: 'notifier' },
        onChange,
      );
    },
    async stop() {
      await consumer?.stop();
      ended.resolve();
    },
    async kill() {
      void consumer?.stop();
      ended.resolve();
    },
    finished: ended.promise,
    health: () => ({ live: true, ready: bus.ready(), checks: { bus: bus.ready() ? 'ok' : 'not connected' } }),
  };
}

async function notify(deps: NotifierDeps, record: ExecutionRecord): Promise<void> {
  const { executions, clock, metrics } = deps;
  const startMs = clock.monotonicMs();
  const context = {
    action_parameters: record.parameters,
    action_context: record.context,
    action_results: await executions.results.load(record, false),
  };
  for (const section of sectionsFor(record)) await notifySection(deps, record, section, context);
  metrics.time('notifier.action.executions', clock.monotonicMs() - startMs);
}

async function notifySection(
  deps: NotifierDeps,
  record: ExecutionRecord,
  section: SectionName,
  context: SectionContext,
): Promise<void> {
  const { clock, logger, metrics } = deps;
  const startMs = clock.monotonicMs();
  const spec = record.notify?.[section] ?? {};
  const rendered = renderSection(spec, defaultMessage(record, section), context, (error) =>
    logger.warn('A notification could not be rendered; it goes out as it was written.', {
      execution_id: record._id,
      section,
      error: messageOf(error),
    }),
  );
  metrics.time('notifier.transform_message', clock.monotonicMs() - startMs);
  for (const instance of notifications(record, section, spec, rendered, clock.nowMicros()))
    await dispatch(deps, instance);
  metrics.time('notifier.notify_trigger.post', clock.monotonicMs() - startMs);
}

async function dispatch({ store, bus, clock, metrics }: NotifierDeps, instance: TriggerInstanceRecord): Promise<void> {
  const startMs = clock.monotonicMs();
  const { record: stored } = await store.triggerInstances.insertOnce(instance);
  // Also for one that is there already: whoever stored it may have died before telling about it.
  await bus.publisher().publish(triggerInstance({ id: stored._id, ref: stored.trigger }));
  metrics.time('notifier.notify_trigger.dispatch', clock.monotonicMs() - startMs);
}
