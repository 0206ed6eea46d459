import type { Requester } from '@switchyard/http';
import { findMatch, type ActionAliasRecord, type FoundMatch } from '@switchyard/model';
import type { ApiDependencies } from '../api-dependencies';
import { usableAliases } from './usable-aliases';

/**
 * The enabled alias that matches a command, among those that exist for the user.
 * @throws Fault `alias.no-match`, `alias.matches`, `alias.multiple-matches`
 */
export async function matchCommand(
  deps: Pick<ApiDependencies, 'store' | 'logger' | 'config' | 'identities'>,
  user: Requester,
  command: string,
): Promise<FoundMatch<ActionAliasRecord>> {
  const { store, logger } = deps;
  const aliases = await usableAliases(deps, user, await store.actionAliases.enabled());
  return findMatch(aliases, command, ({ _id, ref }, format, { message }) => {
    if (!isNews(store, _id, format)) return;
    logger.warn('Skipped a format of an alias.', {
      alias: ref,
      format: format.slice(0, LONGEST_SHOWN),
      reason: message,
    });
  });
}

const LONGEST_SHOWN = 200;
const MOST_REMEMBERED = 1000;
/** Formats that were already logged, by store. */
const told = new WeakMap<object, Set<string>>();

/** Each slow format is logged once, not with every command. A changed format counts as a new one. */
function isNews(store: object, id: string, format: string): boolean {
  const known = told.get(store) ?? new Set();
  told.set(store, known);
  const key = `${id}:${format.length}:${format.slice(0, LONGEST_SHOWN)}`;
  if (known.has(key)) return false;
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.add(key);
  return true;
}
