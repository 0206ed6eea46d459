import { messageOf, slices, type Clock, type Id } from '@switchyard/base';
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
import { createCanceledTrees } from './control';
import { createDefinitions } from './definition-cache';
import { createLocalEnds } from './local-ends';
import type { Engine } from './run';
import { createRouter } from './router';
import { createRunRegistry } from './run-registry';
import { createSharedCalls } from './shared-calls';
import { takeOverRuns } from './take-over-runs';

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
 * 2. A message carries only the id of an execution. It is acknowledged after the turn that processed it. The ends of actions in the same
 *    process come without messages (`createLocalEnds`).
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
    ...engineOf(deps, lease.id),
    tell: (workflow, event) => registry.tellDirectly(workflow, event),
    isAtWork: (workflow) => registry.isAtWork(workflow),
    letGo: (workflows) => registry.letGo(workflows),
  };
  const registry = createRunRegistry(engine);
  const observer = observeInstances(store.instances, lease.renewals, leaseMs);
  const { route } = createRouter({ engine, registry, observer, publisher: bus.publisher() });
  const localEnds = createLocalEnds({ engine, registry });
  const recovery = createTask({
    clock,
    everyMs: heartbeatMs,
    run: () => takeOverRuns(engine, registry, observer),
    onError: (error) => logger.error('Recovery failed; retrying.', { error: messageOf(error) }),
  });
  const consume = (queue: (typeof QUEUES)[number] | ReturnType<typeof engineQueue>) =>
    bus.consume(queue, { prefetch: PREFETCH, name: SERVICE }, (message) =>
      route(message.id, 'workflow' in message ? message.workflow : undefined),
    );

  return createService({
    name: SERVICE,
    bus,
    async start() {
      await lease.start();
      consumers.push(await consume(engineQueue(lease.id)));
      recovery.wake();
      for (const queue of QUEUES) consumers.push(await consume(queue));
      localEnds.start();
    },
    async stop() {
      registry.requestNoMore();
      await stopAll([...consumers, localEnds]);
      await recovery.stop();
      await registry.stop();
      await lease.stop();
    },
    async kill() {
      localEnds.kill();
      dropAll([...consumers, recovery]);
      await registry.stop();
      await lease.stop();
    },
  });
}

/** An engine without its runs. */
function engineOf(deps: WorkflowEngineDeps, instance: Id): Omit<Engine, 'tell' | 'isAtWork' | 'letGo'> {
  const slice = slices();
  return {
    ...deps,
    apiUrl: `${deps.apiUrl}/v1`,
    instance,
    slice,
    canceledTrees: createCanceledTrees(),
    ...createSharedCalls({ ...deps, slice }),
    journal: deps.executions.workflows.journal,
    definitions: createDefinitions({ ...deps, roots: deps.packDirectories }),
  };
}
