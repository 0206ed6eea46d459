import { fault } from '@switchyard/base';
import type { Requester } from '@switchyard/http';
import { aliasFormats, type ActionAliasRecord } from '@switchyard/model';
import type { ApiDependencies } from '../api-dependencies';
import { usableAliases } from './usable-aliases';

/**
 * Finds an alias by name, among those that exist for the user. Aliases in different packs may share a name; then the
 * enabled one with the given format is chosen.
 * @param named name, or reference
 * @throws Fault `alias.unknown`, `alias.ambiguous`, `alias.disabled`, `alias.format-unknown`
 */
export async function findAlias(
  deps: Pick<ApiDependencies, 'store' | 'config' | 'identities'>,
  user: Requester,
  named: string,
  format: string,
): Promise<ActionAliasRecord> {
  const { actionAliases } = deps.store;
  if (named === '') throw fault('alias.name-needed');
  const exact = await actionAliases.byKey(named);
  const all = exact ? [exact] : await actionAliases.list({ filter: { name: named }, sort: { ref: 1 } });
  const found = await usableAliases(deps, user, all);
  const enabled = found.filter((alias) => alias.enabled);
  const fitting = enabled.filter((alias) => hasFormat(alias, format));
  if (fitting.length > 1) throw fault('alias.ambiguous', { name: named, refs: refsOf(fitting) });
  if (fitting[0]) return fitting[0];
  if (found.length === 0) throw fault('alias.unknown', { name: named });
  if (enabled.length === 0) throw fault('alias.disabled', { name: named });
  throw fault('alias.format-unknown', { format, name: named });
}

const hasFormat = ({ formats }: ActionAliasRecord, format: string): boolean =>
  aliasFormats(formats).some(({ representations }) => representations.includes(format));

const refsOf = (aliases: readonly ActionAliasRecord[]): string => aliases.map(({ ref }) => ref).join(', ');
