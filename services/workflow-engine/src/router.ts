import type { Id } from '@switchyard/base';
import type { InstanceObserver } from '@switchyard/host';
import { workflowNews, type Publisher } from '@switchyard/messaging';
import { isTerminal, type ExecutionRecord, type Status, type WorkflowRecord } from '@switchyard/model';
import { rerunOf, workflowOf } from './open-run';
import { BegunElsewhere, type Engine, type RunEvent } from './run';
import type { RunRegistry } from './run-registry';

/** Routes changes of executions to the runs concerned, in this process or another engine. */
export interface Router {
  /**
   * Resolves when the runs concerned have processed the change and its `due` mark is settled; otherwise the mark stays. A workflow
   * that began meanwhile has another status, with a mark of its own.
   * @param outer the run that the execution is an action of, if the message names it
   */
  route(execution: Id, outer?: Id): Promise<void>;
}

interface RouterDeps {
  engine: Engine;
  registry: RunRegistry;
  publisher: Publisher;
  observer: InstanceObserver;
}

/** Statuses of a workflow's execution that its engine has to act on. */
const ASKING: readonly Status[] = ['scheduled', 'running', 'pausing', 'resuming', 'canceling'];
/** Statuses of an action that its workflow has to know, besides the final ones. */
const TELLING: readonly Status[] = ['pending', 'paused', 'running'];

export function createRouter({ engine, registry, publisher, observer }: RouterDeps): Router {
  const { store, instance, clock, metrics } = engine;
  const isAlive = liveEngines(observer, clock);

  /** @returns false when the event was forwarded to another engine */
  async function tell(workflow: Id, execution: Id, event: RunEvent): Promise<boolean> {
    if (isFirst(event) && (await begin(registry, workflow, event))) return true;
    let run: WorkflowRecord | undefined;
    if (!registry.has(workflow)) {
      run = await engine.readRun(workflow);
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

  const isSetAside = (workflow: Id, event: RunEvent): boolean =>
    'child' in event && isTerminal(event.child.status) && registry.setsAside(workflow);

  async function route(id: Id, workflow?: Id): Promise<void> {
    const startMs = clock.monotonicMs();
    const own = workflow === undefined ? undefined : registry.executionOf(workflow);
    // One read for both.
    const [record, outer] = await Promise.all([
      engine.readExecution(id),
      own === undefined ? undefined : engine.readExecution(own),
    ]);
    if (!record?.due?.includes('workflow-engine')) return;
    const told = await Promise.all(
      (await concerns(engine, record, outer)).map(
        async ([workflow, event]) => !isSetAside(workflow, event) && (await tell(workflow, id, event)),
      ),
    );
    if (told.includes(false)) return;
    if (isTerminal(record.status)) {
      await engine.settle(id);
      metrics.time('orquesta.action.executions', clock.monotonicMs() - startMs);
    } else if (record.status !== 'scheduled') await engine.settleAt(record);
  }

  return { route };
}

/** @returns false when another engine has begun the run */
async function begin(registry: RunRegistry, workflow: Id, event: RunEvent): Promise<boolean> {
  try {
    await registry.tell(workflow, event);
    return true;
  } catch (error) {
    if (error instanceof BegunElsewhere) return false;
    throw error;
  }
}

/** Nearly always, no other engine knows of the run yet. */
const isFirst = (event: RunEvent): boolean =>
  'own' in event && event.own.status === 'scheduled' && rerunOf(event.own) === undefined;

/** The runs that a change of an execution concerns: the workflow that it belongs to, and its own if it is a workflow. */
async function concerns(
  engine: Engine,
  record: ExecutionRecord,
  outer: ExecutionRecord | undefined,
): Promise<[Id, RunEvent][]> {
  const { status, workflow_execution: workflow } = record;
  const isTelling = isTerminal(status) || TELLING.includes(status);
  const concerned: [Id, RunEvent][] = [];
  if (workflow !== undefined && isTelling) concerned.push([workflow, { child: record, outer }]);
  if (record.action_is_workflow && ASKING.includes(status))
    concerned.push([await workflowOf(engine, record), { own: record }]);
  return concerned;
}

/** How long the list of live engines is cached. */
const FRESH_MS = 500;

/** Whether an engine is alive. */
function liveEngines(observer: InstanceObserver, clock: Engine['clock']): (engine: Id) => Promise<boolean> {
  let known: { alive: ReadonlySet<Id>; atMs: number } | undefined;
  return async (engine) => {
    const now = clock.monotonicMs();
    if (!known || now - known.atMs > FRESH_MS)
      known = { alive: new Set((await observer.alive('workflow-engine')).map(({ _id }) => _id)), atMs: now };
    return known.alive.has(engine);
  };
}
