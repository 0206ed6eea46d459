import type { Id } from '@switchyard/base';
import type { InstanceObserver } from '@switchyard/host';
import { workflowNews, type Publisher } from '@switchyard/messaging';
import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import type { Engine } from './engine';
import type { Keeper } from './keeper';
import type { Note } from './note';
import type { SharedCalls } from './shared-calls';
import { workflowOf } from './take-up';

export interface RouterDeps {
  engine: Engine;
  keeper: Keeper;
  publisher: Publisher;
  observer: InstanceObserver;
  calls: SharedCalls;
}

/** In these a workflow's own execution asks something of its engine. */
const ASKING: readonly Status[] = ['scheduled', 'running', 'pausing', 'resuming', 'canceling'];
/** In these an execution tells something to the workflow that has requested it; so do all final ones. */
const TELLING: readonly Status[] = ['pending', 'paused', 'running'];

/** Who is alive is known for so long. */
const FRESH_MS = 500;

/** Brings what happens to executions to the runs that it concerns, wherever they are worked on. */
export function createRouter({ engine, keeper, publisher, observer, calls }: RouterDeps) {
  const { store, instance, clock, metrics } = engine;
  let known: { alive: ReadonlySet<Id>; atMs: number } | undefined;

  async function isAlive(owner: Id): Promise<boolean> {
    const now = clock.monotonicMs();
    if (!known || now - known.atMs > FRESH_MS)
      known = { alive: new Set((await observer.alive('workflow-engine')).map(({ _id }) => _id)), atMs: now };
    return known.alive.has(owner);
  }

  /** @returns false when another engine was told instead */
  async function tell(workflow: Id, execution: Id, note: Note): Promise<boolean> {
    if (!keeper.has(workflow)) {
      const record = await store.workflows.get(workflow);
      if (!record?.open && !('own' in note)) return true;
      if (record?.open && record.owner !== instance) {
        if (await isAlive(record.owner)) {
          await publisher.publish(workflowNews({ engine: record.owner, id: execution }));
          return false;
        }
        if (!(await store.workflows.own(workflow, instance, record.owner)))
          throw new Error(`the workflow ${workflow} was taken on by another process`);
      }
    }
    await keeper.tell(workflow, note);
    return true;
  }

  const concerns = async (record: ExecutionRecord): Promise<[Id, Note][]> => {
    const { status, workflow_execution: outer } = record;
    const isTelling = isTerminal(status) || TELLING.includes(status);
    return [
      ...(outer !== undefined && isTelling ? [[outer, { child: record }] as [Id, Note]] : []),
      ...(record.action_is_workflow && ASKING.includes(status)
        ? [[await workflowOf(engine, record), { own: record }] as [Id, Note]]
        : []),
    ];
  };

  /**
   * Whoever is concerned has been told when this resolves, and the mark is off; otherwise it stays. A workflow that was to begin has
   * another status by then, with a mark of its own.
   */
  return async function route(id: Id): Promise<void> {
    const startMs = clock.monotonicMs();
    const record = await calls.get(id);
    if (!record?.due?.includes('workflow-engine')) return;
    const told = await Promise.all((await concerns(record)).map(([workflow, note]) => tell(workflow, id, note)));
    if (told.includes(false)) return;
    if (isTerminal(record.status)) {
      await calls.settle(id);
      metrics.time('orquesta.action.executions', clock.monotonicMs() - startMs);
    } else if (record.status !== 'scheduled') await store.executions.settleAt(record, 'workflow-engine');
  };
}
