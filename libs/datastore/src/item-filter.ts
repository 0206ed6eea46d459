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
  /** Also include records of which only the id can be read. Their names are unknown, so a selection by name never has them. */
  readonly withDamaged?: boolean | undefined;
}

/** Matches the items of a selection that have not expired at `now`. */
export function itemFilter(selection: ItemSelection, now: Date): Filter<KeyValueRecord> {
  const { ids, withDamaged = false, name, prefix } = selection;
  const sound = { ...soundFilter(selection), expire_timestamp: unless(atMost(now)) };
  const isByName = name !== undefined || (prefix !== undefined && prefix !== '');
  return {
    ...(withDamaged && !isByName ? anyFilter<KeyValueRecord>([sound, where('unreadable', isThere)]) : sound),
    ...(ids ? { _id: isOneOf(ids) } : {}),
  };
}

function soundFilter({ scope, user, ...names }: ItemSelection): Filter<KeyValueRecord> {
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
