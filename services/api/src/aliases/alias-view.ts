import { maskParameters, type ActionAliasRecord, type ParameterDefinitions } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import { runnerMerge } from '../actions/action-view';
import { errorPart } from '../unopened-parameters';

/** Fields that every view needs, whatever was requested. */
export const NEEDED_FIELDS = ['ref', 'action_ref', 'immutable_parameters'] as const;

export interface AliasViewOptions {
  /** Whether to show secret parameters of actions in clear. Only for users who may see them. */
  readonly secrets: boolean;
}

type Needed = Pick<Store, 'actions' | 'runnerTypes'>;

/** Aliases as clients see them, with secrets masked in the parameters for their actions. */
export async function viewAliases(
  store: Needed,
  aliases: readonly ActionAliasRecord[],
  { secrets }: AliasViewOptions,
): Promise<Record<string, unknown>[]> {
  const definitions = secrets ? new Map<string, ParameterDefinitions>() : await definitionsOf(store, aliases);
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

/** The parameter definitions of the actions to which aliases pass parameters. */
async function definitionsOf(
  store: Needed,
  aliases: readonly ActionAliasRecord[],
): Promise<Map<string, ParameterDefinitions>> {
  const giving = aliases.filter(({ immutable_parameters: given }) => Object.keys(given).length > 0);
  const refs = [...new Set(giving.map(({ action_ref: ref }) => ref))];
  if (refs.length === 0) return new Map();
  const [merge, found] = await Promise.all([
    runnerMerge(store),
    store.actions.list({ filter: { ref: isOneOf(refs) }, fields: ['ref', 'runner_type', 'parameters'] }),
  ]);
  return new Map(found.map((action) => [action.ref, merge(action)]));
}
