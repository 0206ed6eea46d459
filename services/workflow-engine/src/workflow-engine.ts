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
  type InstanceObserver,
  type Service,
} from '@switchyard/host';
import {
  engineQueue,
  workflowNews,
  type Bus,
  type Consumer,
  type Publisher,
  type QueueName,
} from '@switchyard/messaging';
import { isTerminal, type ExecutionRecord, type Status, type WorkflowRecord } from '@switchyard/model';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { createCanceledTrees } from './cancel-tree';
import { createDefinitions } from './definition-cache';
import { createLocalEnds } from './local-ends';
import type { Engine, RunEvent } from './run';
import { createRunRegistry, type RunRegistry } from './run-registry';
import { createSharedCalls, createSharedWrites, type SharedCalls } from './shared-calls';
import { workflowOf } from './take-up';

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
  const engine: Engine = engineOf(deps, lease.id, (workflow, event) => registry.tellDirectly(workflow, event));
  const registry = createRunRegistry(engine);
  const observer = observeInstances(store.instances, clock, leaseMs);
  const { route, tell } = createRouter({
    engine,
    registry,
    observer,
    publisher: bus.publisher(),
    calls: createSharedCalls(engine),
  });
  const localEnds = createLocalEnds({ engine, hasRun: registry.has, tell });
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

const engineOf = (deps: WorkflowEngineDeps, instance: Id, tell: Engine['tell']): Engine => ({
  ...deps,
  apiUrl: `${deps.apiUrl}/v1`,
  instance,
  slice: slices(),
  canceledTrees: createCanceledTrees(),
  tell,
  ...createSharedWrites(deps.store),
  journal: deps.executions.workflows.journal,
  definitions: createDefinitions({ ...deps, roots: deps.packDirectories }),
});

interface RouterDeps {
  engine: Engine;
  registry: RunRegistry;
  publisher: Publisher;
  observer: InstanceObserver;
  calls: SharedCalls;
}

/** Statuses of a workflow's execution that its engine has to act on. */
const ASKING: readonly Status[] = ['scheduled', 'running', 'pausing', 'resuming', 'canceling'];
/** Statuses of an action that its workflow has to know, besides the final ones. */
const TELLING: readonly Status[] = ['pending', 'paused', 'running'];

/** How long the list of live engines is cached. */
const FRESH_MS = 500;

/** Routes changes of executions to the runs concerned, in this process or another engine. */
function createRouter({ engine, registry, publisher, observer, calls }: RouterDeps) {
  const { store, executions, instance, clock, metrics } = engine;
  let known: { alive: ReadonlySet<Id>; atMs: number } | undefined;

  async function isAlive(owner: Id): Promise<boolean> {
    const now = clock.monotonicMs();
    if (!known || now - known.atMs > FRESH_MS)
      known = { alive: new Set((await observer.alive('workflow-engine')).map(({ _id }) => _id)), atMs: now };
    return known.alive.has(owner);
  }

  /** @returns false when the event was forwarded to another engine */
  async function tell(workflow: Id, execution: Id, event: RunEvent): Promise<boolean> {
    let run: WorkflowRecord | undefined;
    if (!registry.has(workflow)) {
      run = await calls.run(workflow);
      if (!run?.open && !('own' in event)) return true;
      if (run?.open && run.owner !== instance) {
        if (await isAlive(run.owner)) {
          await publisher.publish(workflowNews({ engine: run.owner, id: execution }));
          return false;
        }
        run = await store.workflows.own(workflow, instance, run.owner);
        if (!run) throw new Error(`the workflow ${workflow} was taken over by another process`);
      }
    }
    await registry.tell(workflow, { ...event, ...(run ? { run } : {}) });
    return true;
  }

  const concerns = async (record: ExecutionRecord): Promise<[Id, RunEvent][]> => {
    const { status, workflow_execution: outer } = record;
    const isTelling = isTerminal(status) || TELLING.includes(status);
    return [
      ...(outer !== undefined && isTelling ? [[outer, { child: record }] as [Id, RunEvent]] : []),
      ...(record.action_is_workflow && ASKING.includes(status)
        ? [[await workflowOf(engine, record), { own: record }] as [Id, RunEvent]]
        : []),
    ];
  };

  const isSetAside = (workflow: Id, event: RunEvent): boolean =>
    'child' in event && isTerminal(event.child.status) && registry.setsAside(workflow);

  /**
   * Resolves when the runs concerned have processed the change and its `due` mark is settled; otherwise the mark stays. A workflow
   * that began meanwhile has another status, with a mark of its own.
   */
  async function route(id: Id): Promise<void> {
    const startMs = clock.monotonicMs();
    const record = await calls.get(id);
    if (!record?.due?.includes('workflow-engine')) return;
    const told = await Promise.all(
      (await concerns(record)).map(
        async ([workflow, event]) => !isSetAside(workflow, event) && (await tell(workflow, id, event)),
      ),
    );
    if (told.includes(false)) return;
    if (isTerminal(record.status)) {
      await calls.settle(id);
      metrics.time('orquesta.action.executions', clock.monotonicMs() - startMs);
    } else if (record.status !== 'scheduled') await executions.records.settleAt(record, 'workflow-engine');
  }

  return { route, tell };
}

/** Takes over the runs of dead engines. */
async function takeOverRuns(engine: Engine, registry: RunRegistry, observer: InstanceObserver): Promise<void> {
  const { store, instance, logger } = engine;
  const owners = await store.workflows.owners();
  if (owners.every((owner) => owner === instance)) return;
  const alive = new Set((await observer.alive('workflow-engine')).map(({ _id }) => _id));
  for (const owner of owners) {
    if (owner === instance || alive.has(owner)) continue;
    for (const { _id: workflow } of await store.workflows.openOf(owner)) {
      if (!(await store.workflows.own(workflow, instance, owner))) continue;
      logger.info('Taking over a workflow of a dead engine.', { workflow });
      // The registry retries failures.
      void registry.tell(workflow, { look: true }).catch(() => undefined);
    }
  }
}
