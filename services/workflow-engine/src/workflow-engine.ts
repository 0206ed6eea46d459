import { deferred, messageOf, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { ConfigFor, Executions, LookupFor } from '@switchyard/executions';
import { createInstanceLease, createTask, observeInstances, type Service } from '@switchyard/host';
import {
  engineQueue,
  type Bus,
  type Consumer,
  type MessageBody,
  type QueueName,
  type WatchQueue,
} from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { createDefinitions } from './definitions';
import type { Engine } from './engine';
import { createKeeper } from './keeper';
import { recover } from './recover';
import { createRouter } from './router';
import { createSharedCalls } from './shared-calls';

export interface WorkflowEngineDeps {
  config: Config;
  store: Store;
  bus: Bus;
  executions: Executions;
  lookupFor?: LookupFor | undefined;
  configFor?: ConfigFor | undefined;
  /** Base address of the API without version, for expressions. */
  apiUrl: string;
  /** Directories of packs; the first that holds a pack wins. */
  packDirectories: readonly string[];
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'time' | 'shift'>;
}

const SERVICE = 'workflow-engine';
const PREFETCH = 200;

/** Everything that an engine listens to: what was handed to it, what is wished of it, what its actions tell. */
const QUEUES = [
  'workflow.work',
  'workflow.pause',
  'workflow.resume',
  'workflow.cancel',
  'workflow.action.update',
] as const satisfies QueueName[];

/**
 * Runs workflows. Any number of these processes share the work.
 *
 * 1. Each run is worked on by one of them, so that its state need not be read again for every event. The others pass on what
 *    they hear. That is a matter of speed: what keeps two from going on with the same state is the journal (`takeTurn`).
 * 2. A message carries nothing but the id of an execution, and is acknowledged when the run has had its turn with it.
 * 3. The runs of a process that is gone are taken on by the others, which find out what these runs have missed.
 */
export function createWorkflowEngine(deps: WorkflowEngineDeps): Service {
  const { config, store, bus, clock, logger } = deps;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const ended = deferred();
  const consumers: Consumer[] = [];
  const lease = createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: SERVICE,
    heartbeatMs,
    leaseMs,
    onLapse: () => keeper.forget(),
  });
  const engine: Engine = {
    ...deps,
    apiUrl: `${deps.apiUrl}/v1`,
    instance: lease.id,
    journal: deps.executions.workflows.journal,
    definitions: createDefinitions({ store, clock, config, roots: deps.packDirectories }),
  };
  const keeper = createKeeper(engine);
  const observer = observeInstances(store.instances, clock, leaseMs);
  const route = createRouter({ engine, keeper, observer, publisher: bus.publisher(), calls: createSharedCalls(store) });
  const recovery = createTask({
    clock,
    everyMs: heartbeatMs,
    run: () => recover(engine, keeper, observer),
    onError: (error) => logger.error('Recovery failed; it is tried again.', { error: messageOf(error) }),
  });
  const consume = (queue: QueueName | WatchQueue) =>
    bus.consume<MessageBody & { id: string }>(queue, { prefetch: PREFETCH, name: SERVICE }, ({ id }) => route(id));

  return {
    name: SERVICE,
    async start() {
      await lease.start();
      consumers.push(await consume(engineQueue(lease.id)));
      recovery.wake();
      for (const queue of QUEUES) consumers.push(await consume(queue));
    },
    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await recovery.stop();
      await keeper.stop();
      await lease.stop();
      ended.resolve();
    },
    async kill() {
      for (const part of [...consumers, recovery]) void part.stop();
      await keeper.stop();
      await lease.stop();
      ended.resolve();
    },
    finished: ended.promise,
    health: () => ({ live: true, ready: bus.ready(), checks: { bus: bus.ready() ? 'ok' : 'not connected' } }),
  };
}
