import { slices } from '@switchyard/base';
import { requestKeyOf } from '@switchyard/executions';
import { isTerminal, SecretTexts, type ExecutionRecord, type WorkflowRecord } from '@switchyard/model';
import { Conductor } from '@switchyard/workflow';
import type { Engine } from './engine';
import { limitsOf } from './limits';
import type { Note } from './note';
import { requestOrder } from './place';
import { createProgress } from './progress';
import type { Run } from './run';
import { NO_SECRETS, type RunSecrets } from './run-secrets';

/** The run as its journal has it; undefined when nothing of it was written yet. */
export async function restore(engine: Engine, record: WorkflowRecord): Promise<Run | undefined> {
  const [history, execution, stored] = await Promise.all([
    engine.journal.read(record._id),
    engine.store.executions.get(record.execution),
    engine.store.workflows.getDefinition(record.definition),
  ]);
  const snapshot = history?.takeSnapshot();
  if (!history || !snapshot || !execution || !stored) return undefined;
  const definition = engine.definitions.parse(stored, record.parameters);
  const secrets = secretsIn(engine, record);
  const conductor = Conductor.restore(definition.spec, snapshot, {
    limits: limitsOf(engine.config),
    secrets: new SecretTexts(secrets.texts),
  });
  const progress = createProgress(engine, conductor.status);
  const run = { record, definition, conductor, history, progress, execution, secrets };
  return { ...run, heard: history.wish, passedOn: 0, isStillborn: conductor.isCompleted && history.times.size === 0 };
}

const secretsIn = ({ executions }: Engine, { sealed_secrets: sealed }: WorkflowRecord): RunSecrets =>
  sealed === undefined ? NO_SECRETS : (executions.secrets.openWhole(sealed) as RunSecrets);

/**
 * Compares what a restored run waits for with what became of it: actions that were decided on and not requested are
 * requested, those that have ended or changed meanwhile are reported.
 */
export async function catchUp(engine: Engine, run: Run): Promise<Note[]> {
  const children = await childrenOf(engine, run);
  const notes: Note[] = [];
  const slice = slices();
  for (const action of run.conductor.underway) {
    const child = children.get(requestKeyOf(run.record._id, action));
    const order = child === undefined ? run.history.order(action)?.order : undefined;
    if (child) notes.push({ child });
    else if (order) notes.push(...(await requestOrder(engine, run, order)));
    await slice.next();
  }
  return [{ own: run.execution }, ...notes];
}

/** What the run has requested, by key; of those that are no news only that they are there. */
async function childrenOf({ store }: Engine, { record }: Run): Promise<ReadonlyMap<string, ExecutionRecord | null>> {
  const children = new Map<string, ExecutionRecord | null>();
  for await (const child of store.executions.eachOfWorkflow(record._id))
    if (child.request_key !== undefined) children.set(child.request_key, isNews(child) ? child : null);
  return children;
}

const isNews = ({ status }: ExecutionRecord): boolean =>
  isTerminal(status) || ['pending', 'paused', 'running'].includes(status);
