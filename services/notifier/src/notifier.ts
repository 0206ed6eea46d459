import type { Id } from '@switchyard/base';
import { createService, dropAll, type Service } from '@switchyard/host';
import type { Bus, Consumer } from '@switchyard/messaging';
import { isTerminal } from '@switchyard/model';
import { createAttempts } from './attempts';
import { tellOf, type TellDeps } from './tell-end';

export interface NotifierDeps extends TellDeps {
  bus: Bus;
}

const PREFETCH = 50;

/**
 * Announces changes of executions to the rest of the system. Any number of notifiers may run.
 *
 * 1. The process that writes an end marks the execution as due for the notifier if there is something to do: it asks for
 *    notifications, a policy may retry it, or a rule listens to ends. Other executions never get here.
 * 2. The mark is removed when everything is in the store. Work that ends before that is repeated, and each effect has a
 *    key that makes the second attempt find the first.
 * 3. Failures are retried with growing delays. Failures that are not the store's are retried only a few times.
 */
export function createNotifier(deps: NotifierDeps): Service {
  const { bus, clock, logger } = deps;
  const { records } = deps.executions;
  let consumer: Consumer | undefined;

  async function tell(id: Id): Promise<void> {
    const record = await records.get(id);
    if (!record?.due?.includes('notifier')) return;
    await tellOf(deps, record);
    // Keep the mark of a status that was entered meanwhile.
    if (isTerminal(record.status)) await records.settle([id], 'notifier');
    else await records.settleAt(record, 'notifier');
  }

  const attempts = createAttempts({
    clock,
    logger,
    work: tell,
    giveUp: (id) => records.settle([id], 'notifier'),
  });

  return createService({
    name: 'notifier',
    bus,
    async start() {
      consumer = await bus.consume(
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
    },
    kill: () => dropAll([consumer, attempts]),
  });
}
