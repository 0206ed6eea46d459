import { maskParameters, type ActionAliasRecord, type Definitions } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import { runnerMerge } from '../actions/action-view';
import { errorPart, errorSchema } from '../unopened-parameters';

export const aliasSchema = Type.Object({ id: Type.String(), ref: Type.String(), error: errorSchema });

/** All but the error are stored under their own names. */
export const ALIAS_ATTRIBUTES: readonly string[] = [
  'id',
  'ref',
  'uid',
  'name',
  'pack',
  'description',
  'enabled',
  'action_ref',
  'formats',
  'ack',
  'result',
  'extra',
  'immutable_parameters',
  'metadata_file',
  'error',
];

/** What views are made with, whatever was asked for. */
export const NEEDED_FIELDS: readonly string[] = ['ref', 'action_ref', 'immutable_parameters'];

export interface AliasViewOptions {
  /** Secret parameters of actions in clear. Only for those who may see them. */
  readonly secrets: boolean;
}

type Needed = Pick<Store, 'actions' | 'runnerTypes'>;

/** Aliases as clients see them: without what is secret of the parameters that they give to their actions. */
export async function viewAliases(
  store: Needed,
  aliases: readonly ActionAliasRecord[],
  { secrets }: AliasViewOptions,
): Promise<Record<string, unknown>[]> {
  const definitions = secrets ? new Map<string, Definitions>() : await definitionsOf(store, aliases);
  return aliases.map(({ _id, problem, ...shown }) => {
    const known = definitions.get(shown.action_ref);
    const parameters = known && maskParameters(shown.immutable_parameters, known);
    return { id: _id, ...shown, ...(parameters ? { immutable_parameters: parameters } : {}), ...errorPart(problem) };
  });
}

export async function viewAlias(
  store: Needed,
  alias: ActionAliasRecord,
  options: AliasViewOptions,
): Promise<Record<string, unknown>> {
  const [view] = await viewAliases(store, [alias], options);
  return view ?? {};
}

/** The parameters of the actions to which aliases give some. */
async function definitionsOf(store: Needed, aliases: readonly ActionAliasRecord[]): Promise<Map<string, Definitions>> {
  const giving = aliases.filter(({ immutable_parameters: given }) => Object.keys(given).length > 0);
  const refs = [...new Set(giving.map(({ action_ref: ref }) => ref))];
  if (refs.length === 0) return new Map();
  const [merge, found] = await Promise.all([
    runnerMerge(store),
    store.actions.list({ filter: { ref: { $in: refs } }, fields: ['ref', 'runner_type', 'parameters'] }),
  ]);
  return new Map(found.map((action) => [action.ref, merge(action)]));
}
