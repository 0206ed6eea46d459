import { deferred, type Id } from '@switchyard/base';
import type { Service } from '@switchyard/host';
import type { Bus, Consumer, ExecutionChangeMessage } from '@switchyard/messaging';
import { isTerminal } from '@switchyard/model';
import { createAttempts } from './attempts';
import { tellOf, type TellDeps } from './tell-end';

export interface NotifierDeps extends TellDeps {
  bus: Bus;
}

const PREFETCH = 50;

/**
 * Tells the rest of the system about executions. Any number of notifiers may run.
 *
 * 1. Whoever writes an end marks the execution as due for the notifier when somebody has to be told: because it asks for
 *    it, because a policy may want a further try, or because a rule listens to ends. Nothing else comes here.
 * 2. The mark is taken off when everything is in the store. Whatever ends before that is done again, and each effect has
 *    a key that makes the second time find the first.
 * 3. What fails is tried again with growing waits; what fails although the store is there, a few times at most.
 */
export function createNotifier(deps: NotifierDeps): Service {
  const { bus, store, clock, logger } = deps;
  const ended = deferred();
  let consumer: Consumer | undefined;

  async function tell(id: Id): Promise<void> {
    const record = await store.executions.get(id);
    if (!record?.due?.includes('notifier')) return;
    await tellOf(deps, record);
    // The mark of a status that was entered meanwhile stays.
    if (isTerminal(record.status)) await store.executions.settle([id], 'notifier');
    else await store.executions.settleAt(record, 'notifier');
  }

  const attempts = createAttempts({
    clock,
    logger,
    work: tell,
    giveUp: (id) => store.executions.settle([id], 'notifier'),
  });

  return {
    name: 'notifier',
    async start() {
      consumer = await bus.consume<ExecutionChangeMessage>(
        'notifiers.execution.work',
        { prefetch: PREFETCH, name: 'notifier' },
        async ({ id, due }) => {
          if (due?.includes('notifier')) await attempts.begin(id);
        },
      );
    },
    async stop() {
      await consumer?.stop();
      await attempts.stop();
      ended.resolve();
    },
    async kill() {
      void consumer?.stop();
      void attempts.stop();
      ended.resolve();
    },
    finished: ended.promise,
    health: () => ({ live: true, ready: bus.ready(), checks: { bus: bus.ready() ? 'ok' : 'not connected' } }),
  };
}
