import { together, type Id } from '@switchyard/base';
import type { InstanceObserver } from '@switchyard/host';
import { workflowNews, type Publisher } from '@switchyard/messaging';
import { isTerminal, type ExecutionRecord, type Status, type WorkflowRecord } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import { workflowOf } from './open-run';
import type { Engine, RunEvent } from './run';
import type { RunRegistry } from './run-registry';

/** Routes changes of executions to the runs concerned, in this process or another engine. */
export interface Router {
  /**
   * Resolves when the runs concerned have processed the change and its `due` mark is settled; otherwise the mark stays. A workflow
   * that began meanwhile has another status, with a mark of its own.
   */
  route(execution: Id): Promise<void>;
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
  const { store, executions, instance, clock, metrics } = engine;
  const calls = createSharedCalls(engine);
  const isAlive = liveEngines(observer, clock);

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

  const isSetAside = (workflow: Id, event: RunEvent): boolean =>
    'child' in event && isTerminal(event.child.status) && registry.setsAside(workflow);

  async function route(id: Id): Promise<void> {
    const startMs = clock.monotonicMs();
    const record = await calls.get(id);
    if (!record?.due?.includes('workflow-engine')) return;
    const told = await Promise.all(
      (await concerns(engine, record)).map(
        async ([workflow, event]) => !isSetAside(workflow, event) && (await tell(workflow, id, event)),
      ),
    );
    if (told.includes(false)) return;
    if (isTerminal(record.status)) {
      await calls.settle(id);
      metrics.time('orquesta.action.executions', clock.monotonicMs() - startMs);
    } else if (record.status !== 'scheduled') await executions.records.settleAt(record, 'workflow-engine');
  }

  return { route };
}

/** The runs that a change of an execution concerns: the workflow that it belongs to, and its own if it is a workflow. */
async function concerns(engine: Engine, record: ExecutionRecord): Promise<[Id, RunEvent][]> {
  const { status, workflow_execution: outer } = record;
  const isTelling = isTerminal(status) || TELLING.includes(status);
  const concerned: [Id, RunEvent][] = [];
  if (outer !== undefined && isTelling) concerned.push([outer, { child: record }]);
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

/** Store calls that every message needs. Calls of the same moment are combined. */
interface SharedCalls {
  get(id: Id): Promise<ExecutionRecord | undefined>;
  run(workflow: Id): Promise<WorkflowRecord | undefined>;
  /** Removes the engine from `due` of an execution that has ended. */
  settle(id: Id): Promise<void>;
}

/** Hundreds of messages that got their records in the same turn would make it a long one. */
const HANDED_OUT_AT_ONCE = 20;
/** An embedded store writes them in one turn. */
const SETTLED_AT_ONCE = 50;

type SharedCallsDeps = Pick<Engine, 'executions' | 'store' | 'slice'>;

const createSharedCalls = ({ executions: { records }, store, slice }: SharedCallsDeps): SharedCalls => ({
  get: together(async (ids: readonly Id[]) => {
    if (ids.length === 1) return [await records.get(ids[0]!)];
    const found = byId(await records.list({ filter: { _id: isOneOf(new Set(ids)) } }));
    let turn = Promise.resolve();
    return ids.map((id, index) => {
      if (index > 0 && index % HANDED_OUT_AT_ONCE === 0) turn = turn.then(() => slice.pause());
      return turn.then(() => found.get(id));
    });
  }),
  run: together(async (workflows: readonly Id[]) => {
    if (workflows.length === 1) return [await store.workflows.get(workflows[0]!)];
    const found = byId(await store.workflows.getAll([...new Set(workflows)]));
    return workflows.map((id) => found.get(id));
  }),
  settle: together(async (ids: readonly Id[]) => {
    const all = [...new Set(ids)];
    for (let at = 0; at < all.length; at += SETTLED_AT_ONCE)
      await records.settle(all.slice(at, at + SETTLED_AT_ONCE), 'workflow-engine');
    return ids.map(() => undefined);
  }),
});

const byId = <T extends { readonly _id: Id }>(records: readonly T[]): ReadonlyMap<Id, T> =>
  new Map(records.map((record) => [record._id, record]));
