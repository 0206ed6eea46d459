import { mergeParameters, type ActionRecord, type Definitions } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';

/** An action as clients see it. */
export function actionView({ _id, content_hash: _hash, ...shown }: ActionRecord): Record<string, unknown> {
  return { id: _id, ...shown };
}

/** The attributes that an action may have. */
export const ACTION_ATTRIBUTES: readonly string[] = [
  'id',
  'ref',
  'uid',
  'name',
  'pack',
  'description',
  'enabled',
  'runner_type',
  'entry_point',
  'parameters',
  'output_schema',
  'tags',
  'notify',
  'metadata_file',
  'idempotent',
  'pool',
];

export const actionSchema = Type.Object({ id: Type.String(), ref: Type.String() });

/** Merges the definitions of a runner's parameters into those of its actions. */
export type MergeWithRunner = (action: Pick<ActionRecord, 'runner_type' | 'parameters'>) => Definitions;

/** @returns a function for any number of actions; an action whose runner is gone keeps its own definitions */
export async function runnerMerge({ runnerTypes }: Pick<Store, 'runnerTypes'>): Promise<MergeWithRunner> {
  const records = await runnerTypes.list({ fields: ['name', 'runner_parameters'] });
  const byName = new Map(records.map(({ name, runner_parameters: parameters }) => [name, parameters]));
  return ({ runner_type: name, parameters }) => mergeParameters(byName.get(name) ?? {}, parameters);
}
