import type { Id } from '@switchyard/base';
import type { InstanceObserver } from '@switchyard/host';
import type { ExecutionRecord, WorkflowRecord } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import { hasEngineDue } from './control';
import type { Engine } from './run';
import type { RunRegistry } from './run-registry';

/** Runs whose executions are read together. */
const AT_A_TIME = 100;

/**
 * Takes over the runs of dead engines. Those of a tree that is being canceled are left to the engine of its outermost workflow, which ends
 * them in bulk, and takes them over as it gets to them (`cancelWorkflows`).
 */
export async function takeOverRuns(
  engine: Engine,
  registry: Pick<RunRegistry, 'tell'>,
  observer: Pick<InstanceObserver, 'alive'>,
): Promise<void> {
  const { store, instance, logger } = engine;
  const owners = await store.workflows.owners();
  if (owners.every((owner) => owner === instance)) return;
  const alive = new Set((await observer.alive('workflow-engine')).map(({ _id }) => _id));
  for (const owner of owners) {
    if (owner === instance || alive.has(owner)) continue;
    const runs = await store.workflows.openOf(owner);
    for (let at = 0; at < runs.length; at += AT_A_TIME) {
      for (const { run, execution } of await notOfCanceledTrees(engine, runs.slice(at, at + AT_A_TIME))) {
        const workflow = run._id;
        if (!(await store.workflows.own(workflow, instance, owner))) continue;
        logger.info('Taking over a workflow of a dead engine.', { workflow });
        void informed(engine, registry, { run, execution }).catch(() => undefined);
      }
      await engine.slice.next();
    }
  }
}

interface OrphanedRun {
  readonly run: WorkflowRecord;
  readonly execution: ExecutionRecord | undefined;
}

async function notOfCanceledTrees(
  { executions: { records } }: Engine,
  runs: readonly WorkflowRecord[],
): Promise<OrphanedRun[]> {
  const found = await records.list({ filter: { _id: isOneOf(runs.map(({ execution }) => execution)) } });
  const byId = new Map<Id, ExecutionRecord>(found.map((execution) => [execution._id, execution]));
  const roots = new Set(found.flatMap(({ root }) => root ?? []));
  const canceling = await records.list({ filter: { _id: isOneOf(roots), status: 'canceling' } });
  // Without the mark, its engine has canceled them before.
  const left = new Set<Id | undefined>(canceling.filter(hasEngineDue).map(({ _id }) => _id));
  return runs
    .map((run) => ({ run, execution: byId.get(run.execution) }))
    .filter(({ execution }) => execution?.root === undefined || !left.has(execution.root));
}

/** The registry retries failures, and the sweep repeats the request. */
async function informed(
  { executions: { records } }: Engine,
  registry: Pick<RunRegistry, 'tell'>,
  { run, execution }: OrphanedRun,
): Promise<void> {
  const isAsked = execution?.status === 'canceling' && hasEngineDue(execution);
  const events = [{ look: true } as const, ...(isAsked ? [{ own: execution }] : [])];
  await Promise.all(events.map((event) => registry.tell(run._id, event)));
  if (isAsked) await records.settleAt(execution, 'workflow-engine');
}
