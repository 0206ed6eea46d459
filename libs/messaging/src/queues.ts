import { fault, randomHex } from '@switchyard/base';
import {
  prefixed,
  workQueueDeclaration,
  workQueues,
  type ExchangeName,
  type PoolQueueName,
  type QueueBinding,
  type QueueDeclaration,
  type QueueName,
} from './topology';

/** A queue of one process: exclusive, gone with its consumer. */
export interface WatchQueue {
  /** Without the prefix. */
  readonly name: string;
  readonly exchange: ExchangeName;
  readonly keys: readonly string[];
}

const SUFFIX_DIGITS = 10;
const POOL_PREFIX = 'actionrunner.work.';

/**
 * A queue that sees an exchange's messages for one process only: `svc.trigger.watch.St2Timer-0123456789`.
 * @param label who watches, for operators
 * @param keys routing key patterns; everything when none is given
 */
export function watchQueue(exchange: ExchangeName, label: string, ...keys: string[]): WatchQueue {
  const name = `${exchange}.watch.${label}-${randomHex(SUFFIX_DIGITS)}`;
  return { name, exchange, keys: keys.length > 0 ? keys : ['#'] };
}

/** The queue of one action runner process, for control requests about executions that it owns. */
export function controlQueue(instance: string): WatchQueue {
  return { name: `actionrunner.control.${instance}`, exchange: 'actionrunner.control', keys: [instance] };
}

/** The queue of one workflow engine process, for news about the workflows that it works on. */
export function engineQueue(instance: string): WatchQueue {
  return { name: `workflow.engine.${instance}`, exchange: 'workflow', keys: [`engine.${instance}`] };
}

/**
 * The work queue of the runners of one pool. It is declared by its first consumer.
 * @throws Fault messaging.invalid-pool
 */
export function poolQueue(pool: string): PoolQueueName {
  if (!isPoolName(pool)) throw fault('messaging.invalid-pool', { pool });
  return `${POOL_PREFIX}${pool}`;
}

export const isPoolName = (pool: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(pool);

/** What a queue takes: its exchange, for shared queues and watch queues alike. */
export const exchangeOf = (queue: QueueName | WatchQueue): ExchangeName =>
  typeof queue === 'string' ? bindingOf(queue).exchange : queue.exchange;

export function queueDeclaration(prefix: string, queue: QueueName | WatchQueue): QueueDeclaration {
  if (typeof queue === 'string') return workQueueDeclaration(prefix, queue, bindingOf(queue));
  const exchange = prefixed(prefix, queue.exchange);
  return {
    queue: prefixed(prefix, queue.name),
    options: { durable: false, exclusive: true, autoDelete: true },
    bindings: queue.keys.map((key) => ({ exchange, key })),
  };
}

function bindingOf(queue: QueueName): QueueBinding {
  const listed = (workQueues as Readonly<Record<string, QueueBinding>>)[queue];
  return listed ?? { exchange: 'liveaction.status', key: `scheduled.${queue.slice(POOL_PREFIX.length)}` };
}
