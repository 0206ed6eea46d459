import { isFault, messageOf } from '@switchyard/base';
import { isTerminal, SecretTexts, type ExecutionRecord, type WorkflowRecord } from '@switchyard/model';
import { Conductor } from '@switchyard/workflow';
import { requestKeyOf, type ActionCommand, type WorkflowDefinition } from '@switchyard/workflow-runs';
import { conductorLimits, type Engine, type RunEvent, type WorkflowRun } from './run';
import { createProgress } from './sync-execution';
import { NO_SECRETS, type RunSecrets } from './run-secrets';
import { requestOf } from './submissions';

/** Restores a run from its journal; undefined when the journal is empty. @param own its execution, if it was just read */
export async function restore(
  engine: Engine,
  record: WorkflowRecord,
  own?: ExecutionRecord,
): Promise<WorkflowRun | undefined> {
  const [history, execution, definition] = await Promise.all([
    engine.journal.read(record._id, engine.slice),
    own?._id === record.execution ? own : engine.executions.records.get(record.execution),
    definitionOfRun(engine, record),
  ]);
  const snapshot = history?.takeSnapshot();
  if (!history || !snapshot || !execution || !definition) return undefined;
  const secrets = secretsIn(engine, record);
  const conductor = await Conductor.restoreInSlices(definition.spec, snapshot, {
    limits: conductorLimits(engine.config),
    secrets: new SecretTexts(secrets.texts),
    slice: engine.slice,
  });
  const progress = createProgress(engine, conductor.status);
  const run = { record, definition, conductor, history, progress, execution, secrets };
  return {
    ...run,
    heard: history.controlRevision,
    passedOn: 0,
    goesOn: false,
    uncounted: 0,
    isStillborn: conductor.isCompleted && history.times.size === 0,
  };
}

/** The definition with which a run began. */
export async function definitionOfRun(
  { definitions, store }: Engine,
  { definition: id, parameters }: WorkflowRecord,
): Promise<WorkflowDefinition | undefined> {
  const known = definitions.known(id, parameters);
  if (known) return known;
  const stored = await store.workflows.getDefinition(id);
  return stored && definitions.parse(stored, parameters);
}

const secretsIn = ({ executions }: Engine, { sealed_secrets: sealed }: WorkflowRecord): RunSecrets =>
  sealed === undefined ? NO_SECRETS : (executions.secrets.openWhole(sealed) as RunSecrets);

/**
 * Compares the active actions of a restored run with their executions: commands without an execution are submitted,
 * executions that changed meanwhile become events.
 */
export async function catchUp(engine: Engine, run: WorkflowRun): Promise<RunEvent[]> {
  const children = await childrenOf(engine, run);
  const events: RunEvent[] = [];
  for (const action of run.conductor.underway) {
    const child = children.get(requestKeyOf(run.record._id, action));
    const command = child === undefined ? run.history.command(action)?.command : undefined;
    if (child) events.push({ child });
    else if (command) events.push(...(await resubmit(engine, run, command)));
    await engine.slice.next();
  }
  return [{ own: run.execution }, ...events];
}

/** Submits one action command of a restored run. @returns the event of its refusal if it can no longer be submitted */
async function resubmit(engine: Engine, run: WorkflowRun, command: ActionCommand): Promise<RunEvent[]> {
  try {
    await (await engine.executions.prepare(requestOf(run, command, new Map()))).submit();
    return [];
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return [{ refused: command, error: messageOf(error) }];
  }
}

/** The executions of the run by request key; null for those that need no event. */
async function childrenOf(
  { executions }: Engine,
  { record }: WorkflowRun,
): Promise<ReadonlyMap<string, ExecutionRecord | null>> {
  const children = new Map<string, ExecutionRecord | null>();
  for await (const child of executions.records.eachOfWorkflow(record._id))
    if (child.request_key !== undefined) children.set(child.request_key, isNews(child) ? child : null);
  return children;
}

const isNews = ({ status }: ExecutionRecord): boolean =>
  isTerminal(status) || ['pending', 'paused', 'running'].includes(status);
