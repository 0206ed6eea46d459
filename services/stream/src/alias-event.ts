import type { RecordChangeMessage } from '@switchyard/messaging';
import { maskParameters, mergeParameters, type ActionAliasRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { ServedEvent } from './stream-events';

type Needed = Pick<Store, 'actionAliases' | 'actions' | 'runnerTypes'>;

/** The event of a changed alias, with the alias as it is now. @returns undefined when the alias is gone */
export async function aliasEvent(
  store: Needed,
  name: string,
  { id, ref, change }: RecordChangeMessage,
): Promise<ServedEvent | undefined> {
  if (change === 'delete') return { name, body: { id, ref } };
  const alias = await store.actionAliases.get(id);
  return alias && { name, body: await withoutSecrets(store, alias) };
}

async function withoutSecrets(
  { actions, runnerTypes }: Needed,
  { _id, problem, ...alias }: ActionAliasRecord,
): Promise<Record<string, unknown>> {
  const shown = { ...alias, ...(problem === undefined ? {} : { error: problem }) };
  const given = shown.immutable_parameters;
  const action = Object.keys(given).length > 0 ? await actions.byKey(shown.action_ref) : undefined;
  if (!action) return { id: _id, ...shown };
  const runner = await runnerTypes.byKey(action.runner_type);
  const definitions = mergeParameters(runner?.runner_parameters ?? {}, action.parameters);
  return { id: _id, ...shown, immutable_parameters: maskParameters(given, definitions) };
}
