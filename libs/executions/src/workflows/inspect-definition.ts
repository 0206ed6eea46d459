import { mergeParameters } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import {
  actionsNamedIn,
  flatFindings,
  inspectWorkflow,
  type ActionLookup,
  type ActionParameters,
  type FlatFinding,
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
  const actions = await lookup(store, actionsNamedIn(text));
  return flatFindings(inspectWorkflow(text, { context, actions }));
}

async function lookup(store: Registered, references: readonly string[]): Promise<ActionLookup> {
  const found = new Map<string, ActionParameters>();
  for (const reference of references) {
    const record = await store.actions.byKey(reference);
    const runner = record && (await store.runnerTypes.byKey(record.runner_type));
    if (record && runner) found.set(reference, mergeParameters(runner.runner_parameters, record.parameters));
  }
  return (reference) => found.get(reference);
}
