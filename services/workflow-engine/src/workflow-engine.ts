import { messageOf, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { ConfigFor, Executions, LookupFor } from '@switchyard/executions';
import {
  createInstanceLease,
  createService,
  createTask,
  dropAll,
  observeInstances,
  stopAll,
  type Service,
} from '@switchyard/host';
import { engineQueue, type Bus, type Consumer, type QueueName } from '@switchyard/messaging';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { createDefinitions } from './definition-cache';
import type { Engine } from './run';
import { createRouter, createSharedCalls, takeOverRuns } from './router';
import { createRunRegistry } from './run-registry';

export interface WorkflowEngineDeps {
  config: Config;
  store: StoreWithoutExecutions;
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

/** The queues of an engine: new workflows, control requests, and changes of actions. */
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
 * 1. Each run is worked on by one of them, so that its state is not read again for every event. The others forward
 *    messages to it. This is for speed: the journal keeps two engines from continuing the same state (`takeTurn`).
 * 2. A message carries only the id of an execution. It is acknowledged after the turn that processed it.
 * 3. The other engines take over the runs of a dead one and look up what these runs have missed.
 */
export function createWorkflowEngine(deps: WorkflowEngineDeps): Service {
  const { config, store, bus, clock, logger } = deps;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const consumers: Consumer[] = [];
  const lease = createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: SERVICE,
    heartbeatMs,
    leaseMs,
    onLapse: () => registry.forget(),
  });
  const engine: Engine = {
    ...deps,
    apiUrl: `${deps.apiUrl}/v1`,
    instance: lease.id,
    journal: deps.executions.workflows.journal,
    definitions: createDefinitions({ store, clock, config, roots: deps.packDirectories }),
  };
  const registry = createRunRegistry(engine);
  const observer = observeInstances(store.instances, clock, leaseMs);
  const route = createRouter({
    engine,
    registry,
    observer,
    publisher: bus.publisher(),
    calls: createSharedCalls(deps.executions.records),
  });
  const recovery = createTask({
    clock,
    everyMs: heartbeatMs,
    run: () => takeOverRuns(engine, registry, observer),
    onError: (error) => logger.error('Recovery failed; retrying.', { error: messageOf(error) }),
  });
  const consume = (queue: (typeof QUEUES)[number] | ReturnType<typeof engineQueue>) =>
    bus.consume(queue, { prefetch: PREFETCH, name: SERVICE }, ({ id }) => route(id));

  return createService({
    name: SERVICE,
    bus,
    async start() {
      await lease.start();
      consumers.push(await consume(engineQueue(lease.id)));
      recovery.wake();
      for (const queue of QUEUES) consumers.push(await consume(queue));
    },
    async stop() {
      registry.requestNoMore();
      await stopAll(consumers);
      await recovery.stop();
      await registry.stop();
      await lease.stop();
    },
    async kill() {
      dropAll([...consumers, recovery]);
      await registry.stop();
      await lease.stop();
    },
  });
}
