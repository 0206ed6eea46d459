import type { Requester } from '@switchyard/http';
import type { ActionAliasRecord } from '@switchyard/model';
import type { ApiDependencies } from '../api-dependencies';
import { grantedReferences, grantedTo } from '../permissions/visible-records';

type Deps = Pick<ApiDependencies, 'config' | 'identities'>;

/** Refuses users who may not execute any action, whether the alias exists or not. @throws Fault `auth.forbidden` */
export async function checkMayExecute(deps: Deps, user: Requester): Promise<void> {
  const granted = await grantedTo(deps, user, 'action_execute');
  if (granted?.uids.length === 0) await deps.identities.access.authorise(user, 'action_execute');
}

/**
 * The aliases that exist for a user: those that the user may view, and those whose action the user may execute. Others neither
 * match a command nor appear in the help.
 */
export async function usableAliases(
  deps: Deps,
  user: Requester,
  aliases: readonly ActionAliasRecord[],
): Promise<readonly ActionAliasRecord[]> {
  const [viewed, executed] = await Promise.all([
    grantedTo(deps, user, 'action_alias_view'),
    grantedTo(deps, user, 'action_execute'),
  ]);
  const isViewed = grantedReferences(viewed, 'action_alias');
  const isExecuted = grantedReferences(executed, 'action');
  return aliases.filter(({ ref, action_ref: action }) => isViewed(ref) || isExecuted(action));
}
