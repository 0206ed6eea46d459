import { isExpression } from '@switchyard/expressions';
import { mergeParameters } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import {
  flatFindings,
  inspectWorkflow,
  parseWorkflow,
  type ActionParameters,
  type FlatFinding,
  type WorkflowSpec,
} from '@switchyard/workflow';

type Registered = Pick<Store, 'actions' | 'runnerTypes'>;

/**
 * Everything that is wrong with the text of a workflow, the actions included that it names.
 * @param context names of variables that are known beforehand
 * @throws DefinitionError for what is no definition at all
 */
export async function inspectDefinition(
  store: Registered,
  text: string,
  context: readonly string[],
): Promise<FlatFinding[]> {
  const inspection = inspectWorkflow(text, { context });
  if (inspection.syntax) return flatFindings(inspection);
  const actions = await lookup(store, parseWorkflow(text));
  return flatFindings(inspectWorkflow(text, { context, actions }));
}

/** The actions that a definition names, as inspection asks for them. */
async function lookup(store: Registered, { tasks }: WorkflowSpec) {
  const found = new Map<string, ActionParameters>();
  for (const { action } of tasks.values()) {
    if (action === undefined || isExpression(action) || found.has(action)) continue;
    const record = await store.actions.byKey(action);
    const runner = record && (await store.runnerTypes.byKey(record.runner_type));
    if (record && runner) found.set(action, mergeParameters(runner.runner_parameters, record.parameters));
  }
  return (ref: string) => found.get(ref);
}
