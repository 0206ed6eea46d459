/**
 * All exchanges and queues, without their prefix (`messaging.prefix`, by default `svc`). The arguments of a queue cannot be changed
 * once it exists on a broker, so a change here needs a new name or an upgrade step. RabbitMQ 3.10 to 4 accepts all of them.
 */
export const exchanges = {
  execution: 'topic',
  liveaction: 'topic',
  'liveaction.status': 'topic',
  'execution.output': 'topic',
  trigger: 'topic',
  rule: 'topic',
  trigger_instances_dispatch: 'topic',
  sensor: 'topic',
  actionalias: 'topic',
  announcement: 'topic',
  workflow: 'topic',
  'workflow.status': 'topic',
  'actionrunner.control': 'direct',
  'scheduler.permits': 'direct',
  dead_letter: 'topic',
} as const satisfies Record<string, 'topic' | 'direct'>;

export type ExchangeName = keyof typeof exchanges;

/** The routing key of an update of an execution that only workflow engines have to act on. */
export const DUE_FOR_ENGINE = 'update.due.workflow-engine';

/** Durable queues that all services of one kind share. */
export const workQueues = {
  'actionrunner.req': { exchange: 'liveaction.status', keys: ['requested'] },
  'actionrunner.work': { exchange: 'liveaction.status', keys: ['scheduled'] },
  'actionrunner.cancel': { exchange: 'liveaction.status', keys: ['canceling'] },
  'actionrunner.pause': { exchange: 'liveaction.status', keys: ['pausing'] },
  'actionrunner.resume': { exchange: 'liveaction.status', keys: ['resuming'] },
  'notifiers.execution.work': { exchange: 'execution', keys: ['update'] },
  'workflow.work': { exchange: 'workflow.status', keys: ['requested'] },
  'workflow.pause': { exchange: 'workflow.status', keys: ['pausing'] },
  'workflow.resume': { exchange: 'workflow.status', keys: ['resuming'] },
  'workflow.cancel': { exchange: 'workflow.status', keys: ['canceling'] },
  'workflow.action.update': { exchange: 'execution', keys: ['update', DUE_FOR_ENGINE] },
  'trigger_instances_dispatch.rules_engine': { exchange: 'trigger_instances_dispatch', keys: ['#'] },
} as const satisfies Record<string, QueueBinding>;

export interface QueueBinding {
  readonly exchange: ExchangeName;
  readonly keys: readonly string[];
}

/** A shared queue: one in the table, or the work queue of a runner pool (`poolQueue`). */
export type QueueName = keyof typeof workQueues | PoolQueueName;
export type PoolQueueName = `actionrunner.work.${string}`;

/** A message that is returned more often than this goes to the dead-letter queue. */
export const DELIVERY_LIMIT = 20;

/** Receives messages that no consumer could handle. The routing key is the name of their queue. */
export const DEAD_LETTER = 'dead_letter';

/** Maximum number of messages in the dead-letter queue, which is for operators. The oldest are dropped first. */
const DEAD_LETTER_LENGTH = 10_000;

/** The declaration of a queue for the broker. Names include the prefix. */
export interface QueueDeclaration {
  readonly queue: string;
  readonly options: QueueOptions;
  readonly bindings: readonly { readonly exchange: string; readonly key: string }[];
}

export interface QueueOptions {
  readonly durable: boolean;
  readonly exclusive: boolean;
  readonly autoDelete: boolean;
  readonly deadLetterExchange?: string;
  readonly deadLetterRoutingKey?: string;
  readonly maxLength?: number;
  readonly arguments?: Readonly<Record<string, string | number>>;
}

/** The name on the broker: `svc.execution` for `execution`. */
export const prefixed = (prefix: string, name: string): string => `${prefix}.${name}`;

/** Quorum queues are replicated if the broker is a cluster, and only they have a delivery limit. */
export function workQueueDeclaration(prefix: string, name: string, { exchange, keys }: QueueBinding): QueueDeclaration {
  const queue = prefixed(prefix, name);
  return {
    queue,
    options: {
      durable: true,
      exclusive: false,
      autoDelete: false,
      deadLetterExchange: prefixed(prefix, DEAD_LETTER),
      deadLetterRoutingKey: queue,
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': DELIVERY_LIMIT },
    },
    bindings: keys.map((key) => ({ exchange: prefixed(prefix, exchange), key })),
  };
}

export function deadLetterDeclaration(prefix: string): QueueDeclaration {
  const name = prefixed(prefix, DEAD_LETTER);
  return {
    queue: name,
    options: {
      durable: true,
      exclusive: false,
      autoDelete: false,
      maxLength: DEAD_LETTER_LENGTH,
      arguments: { 'x-queue-type': 'quorum' },
    },
    bindings: [{ exchange: name, key: '#' }],
  };
}
