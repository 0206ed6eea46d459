import { isFault, messageOf, type Id } from '@switchyard/base';
import type { FinalParameters, PackConfig } from '@switchyard/executions';
import {
  SecretTexts,
  type DefinitionRecord,
  type ExecutionRecord,
  type WorkflowOptions,
  type WorkflowRecord,
} from '@switchyard/model';
import { Conductor } from '@switchyard/workflow';
import { History, workflowIdOf } from '@switchyard/workflow-runs';
import { InvalidDefinition } from './definition-cache';
import { alongWith, BegunElsewhere, conductorLimits, type Engine, withDatastore, type WorkflowRun } from './run';
import { createProgress } from './sync-execution';
import { runSecretsOf } from './run-secrets';

/** The reasons why a workflow cannot start, as the result of its execution shows them. */
export class NotBegun extends Error {
  constructor(readonly errors: readonly Readonly<Record<string, unknown>>[]) {
    super('The workflow could not begin.');
  }
}

/**
 * Creates the run of an execution that was handed to the engines. Only the record of the run is written.
 * @throws NotBegun for an invalid definition, invalid inputs, or too many nested workflows; `BegunElsewhere`
 */
export async function beginRun(
  engine: Engine,
  execution: ExecutionRecord,
  definition: DefinitionRecord,
): Promise<WorkflowRun> {
  const { action, runner } = definition;
  const parameters = Object.keys(action.parameters);
  try {
    const current = await engine.definitions.current(action, runner.name);
    await engine.definitions.inspect(current, action, ['st2', 'parent']);
    const parsed = await engine.definitions.parse(current, parameters);
    const final = await engine.executions.parameters.finish(
      definition,
      engine.executions.secrets.openParameters(execution),
      execution.context,
    );
    const config = runner.name === 'action-chain' ? await configOf(engine, action.pack, execution) : undefined;
    const secrets = runSecretsOf(execution, definition, { final, config });
    const record = await newRecord(engine, execution, {
      definition: current._id,
      parameters,
      options: optionsOf(final),
      ...(secrets.texts.length > 0 ? { sealed_secrets: engine.executions.secrets.sealWhole(secrets) } : {}),
    });
    checkNotify(record.options, [...parsed.spec.tasks.keys()]);
    await engine.store.workflows.putDefinition(current);
    const stored = await insertOwn(engine, record);
    const context = config
      ? chainContext(execution, config)
      : workflowContext(engine, execution, definition, stored._id);
    const conductor = await withDatastore(engine, execution, (options) =>
      Conductor.create(
        parsed.spec,
        { context, inputs: final.actionParameters },
        { ...options, limits: conductorLimits(engine.config), secrets: new SecretTexts(secrets.texts) },
      ),
    );
    const isStillborn = conductor.isCompleted;
    if (!isStillborn) conductor.requestStatus('running');
    const progress = createProgress(engine, 'unset');
    const history = new History(false);
    const run = { record: stored, definition: parsed, conductor, history, progress, execution, secrets };
    return { ...run, heard: 0, passedOn: 0, goesOn: false, uncounted: 0, isStillborn };
  } catch (error) {
    if (error instanceof InvalidDefinition) throw new NotBegun(error.errors);
    if (isFault(error) && error.status < 500) throw new NotBegun([{ message: messageOf(error) }]);
    throw error;
  }
}

const configOf = async ({ configFor }: Engine, pack: string, { context }: ExecutionRecord): Promise<PackConfig> =>
  configFor ? configFor(pack, context) : { values: {}, secrets: [] };

interface RunParts {
  definition: string;
  parameters: string[];
  options: WorkflowOptions;
  sealed_secrets?: string;
}

async function newRecord(engine: Engine, execution: ExecutionRecord, parts: RunParts): Promise<WorkflowRecord> {
  return {
    _id: workflowIdOf(execution._id),
    execution: execution._id,
    ...parts,
    owner: engine.instance,
    open: true,
    depth: await depthOf(engine, execution),
    started_at: engine.clock.nowMicros(),
  };
}

/** The record already exists if an engine has begun the run before. */
async function insertOwn({ store, instance }: Engine, record: WorkflowRecord): Promise<WorkflowRecord> {
  const { record: stored } = await store.workflows.insert(record);
  if (stored.owner !== instance) throw new BegunElsewhere(stored._id);
  return stored;
}

async function depthOf({ store, config }: Engine, { workflow_execution: outer }: ExecutionRecord): Promise<number> {
  const depth = outer === undefined ? 0 : ((await store.workflows.get(outer))?.depth ?? 0) + 1;
  const most = config.workflow_engine.max_depth;
  if (depth >= most)
    throw new NotBegun([
      {
        message: `The workflow would be nested ${depth + 1} levels deep; workflow_engine.max_depth allows ${most}.`,
      },
    ]);
  return depth;
}

function optionsOf({ runnerParameters }: FinalParameters): WorkflowOptions {
  const names = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return {
    notify: names(runnerParameters['notify']),
    skip_notify: names(runnerParameters['skip_notify']),
    display_published: runnerParameters['display_published'] !== false,
  };
}

function checkNotify({ notify }: WorkflowOptions, tasks: readonly string[]): void {
  const unknown = notify.filter((name) => !tasks.includes(name));
  if (unknown.length === 0) return;
  const names = unknown.join(', ');
  throw new NotBegun([
    { message: `The following tasks in the notify parameter do not exist in the workflow definition: ${names}.` },
  ]);
}

/** What a chain may read besides its own variables. `parent` is the chain itself, as its nodes see it. */
const chainContext = ({ _id, context }: ExecutionRecord, { values }: PackConfig): Record<string, unknown> => ({
  action_context: { parent: { execution_id: _id, ...context } },
  config_context: values,
});

/** What other workflows may read besides their own variables. */
function workflowContext(
  engine: Engine,
  execution: ExecutionRecord,
  { action, runner }: DefinitionRecord,
  workflow: Id,
): Record<string, unknown> {
  const { context } = execution;
  const st2 = {
    action_execution_id: execution._id,
    api_url: engine.apiUrl,
    user: context['user'],
    pack: action.pack,
    action: execution.action_ref,
    runner: runner.name,
    workflow_execution_id: workflow,
    ...alongWith(context),
  };
  return { st2, parent: context };
}
