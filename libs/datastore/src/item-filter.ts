import type { KeyValueRecord } from '@switchyard/model';
import {
  anyFilter,
  atMost,
  equal,
  isThere,
  isOneOf,
  startingWith,
  unless,
  where,
  type Filter,
} from '@switchyard/storage';
import { ownerPrefix, FULL_SCOPE, type ItemScope } from './item-key';

export interface ItemSelection {
  readonly scope: ItemScope | 'all';
  /** Owner of the user-scoped items. */
  readonly user: string;
  readonly prefix?: string | undefined;
  readonly name?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Also include records of which only the id can be read. Their names are unknown, so a selection by name never
   * includes them. */
  readonly withDamaged?: boolean | undefined;
}

/** Matches the items of a selection that have not expired at `now`. */
export function itemFilter(selection: ItemSelection, now: Date): Filter<KeyValueRecord> {
  const { ids, scope } = selection;
  const byId = ids ? { _id: isOneOf(ids) } : {};
  const sound = { ...storedFilter(selection), expire_timestamp: unless(atMost(now)) };
  if (!hasDamaged(selection)) return { ...sound, ...byId };
  // An index of scopes lists damaged items as well. Without it, each list would read every item.
  const scopes = scope === 'all' ? [FULL_SCOPE.system, FULL_SCOPE.user] : [FULL_SCOPE[scope]];
  return {
    ...anyFilter<KeyValueRecord>([sound, where('unreadable', isThere)]),
    ...(ids ? byId : { scope: isOneOf(scopes) }),
  };
}

/** Whether all stored items of the system are selected, with damaged ones. They can be counted without being read. */
export const isWholeSystem = (selection: ItemSelection): boolean =>
  selection.scope === 'system' && selection.ids === undefined && hasDamaged(selection);

const hasDamaged = ({ withDamaged = false, name, prefix }: ItemSelection): boolean =>
  withDamaged && name === undefined && (prefix === undefined || prefix === '');

/** Matches all items of a selection, also those that have expired. */
function storedFilter({ scope, user, ...names }: ItemSelection): Filter<KeyValueRecord> {
  const system = { scope: FULL_SCOPE.system, ...nameCondition('', names) };
  const own = { scope: FULL_SCOPE.user, ...nameCondition(ownerPrefix(user), names) };
  return scope === 'all' ? anyFilter<KeyValueRecord>([system, own]) : scope === 'user' ? own : system;
}

function nameCondition(owner: string, { prefix = '', name }: Pick<ItemSelection, 'prefix' | 'name'>) {
  const start = owner + prefix;
  if (name === undefined && start === '') return {};
  // The index can look up a range; a pattern built from user input would need escaping.
  return { name: { ...(name === undefined ? {} : equal(owner + name)), ...(start === '' ? {} : startingWith(start)) } };
}
