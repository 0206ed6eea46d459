import { fault, randomHex } from '@switchyard/base';
import type { MessageOn } from './messages';
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

/** An exclusive queue of one process, which is deleted with its consumer. */
export interface WatchQueue<E extends ExchangeName = ExchangeName> {
  /** Without the prefix. */
  readonly name: string;
  readonly exchange: E;
  readonly keys: readonly string[];
}

const SUFFIX_DIGITS = 10;
const POOL_PREFIX = 'actionrunner.work.';

/**
 * A queue that receives messages of an exchange for one process: `svc.trigger.watch.St2Timer-0123456789`.
 * @param label names the watching service, for operators
 * @param keys routing key patterns; without any, all messages
 */
export function watchQueue<E extends ExchangeName>(exchange: E, label: string, ...keys: string[]): WatchQueue<E> {
  const name = `${exchange}.watch.${label}-${randomHex(SUFFIX_DIGITS)}`;
  return { name, exchange, keys: keys.length > 0 ? keys : ['#'] };
}

/** The queue of an action runner process for control requests about its executions. */
export function controlQueue(instance: string): WatchQueue<'actionrunner.control'> {
  return { name: `actionrunner.control.${instance}`, exchange: 'actionrunner.control', keys: [instance] };
}

/** The queue of a process that requests executions, for permits from schedulers. */
export function permitQueue(requester: string): WatchQueue<'scheduler.permits'> {
  return { name: `scheduler.permits.${requester}`, exchange: 'scheduler.permits', keys: [requester] };
}

/** The queue of a workflow engine process for events of its workflows. */
export function engineQueue(instance: string): WatchQueue<'workflow'> {
  return { name: `workflow.engine.${instance}`, exchange: 'workflow', keys: [`engine.${instance}`] };
}

/**
 * The work queue of a runner pool. Its first consumer declares it.
 * @throws Fault messaging.invalid-pool
 */
export function poolQueue(pool: string): PoolQueueName {
  if (!isPoolName(pool)) throw fault('messaging.invalid-pool', { pool });
  return `${POOL_PREFIX}${pool}`;
}

export const isPoolName = (pool: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(pool);

/** The messages of a queue. */
export type MessageFrom<Q extends QueueName | WatchQueue> =
  Q extends WatchQueue<infer E>
    ? MessageOn<E>
    : Q extends PoolQueueName
      ? MessageOn<'liveaction.status'>
      : Q extends keyof ExchangeOfQueue
        ? MessageOn<ExchangeOfQueue[Q] & ExchangeName>
        : never;

type ExchangeOfQueue = { readonly [Name in keyof typeof workQueues]: (typeof workQueues)[Name]['exchange'] };

/** The exchange of a shared queue or a watch queue. */
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
  return listed ?? { exchange: 'liveaction.status', keys: [`scheduled.${queue.slice(POOL_PREFIX.length)}`] };
}
