import { mergeParameters, type ActionRecord, type ParameterDefinitions } from '@switchyard/model';
import { actionAnswer, attributeNames } from '@switchyard/model/resources';
import type { Store } from '@switchyard/storage';

/** An action as clients see it. */
export function actionView({ _id, content_hash: _hash, ...shown }: ActionRecord): Record<string, unknown> {
  return { id: _id, ...shown };
}

export const ACTION_ATTRIBUTES = attributeNames(actionAnswer);

/** Merges the parameter definitions of runners into those of their actions. */
export type MergeWithRunner = (action: Pick<ActionRecord, 'runner_type' | 'parameters'>) => ParameterDefinitions;

/** @returns a function for any number of actions; an action whose runner no longer exists keeps its own definitions */
export async function runnerMerge({ runnerTypes }: Pick<Store, 'runnerTypes'>): Promise<MergeWithRunner> {
  const records = await runnerTypes.list({ fields: ['name', 'runner_parameters'] });
  const byName = new Map(records.map(({ name, runner_parameters: parameters }) => [name, parameters]));
  return ({ runner_type: name, parameters }) => mergeParameters(byName.get(name) ?? {}, parameters);
}
