import type { Filter } from '@switchyard/storage';
import { ownerPrefix } from './item-key';
import { FULL_SCOPE, type ItemScope } from './scope';

export interface ItemSelection {
  readonly scope: ItemScope | 'all';
  /** Whose items of the user scope. */
  readonly user: string;
  readonly prefix?: string | undefined;
  readonly name?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** The items of a selection that have not expired at `now`. */
export function itemFilter({ scope, user, ids, ...names }: ItemSelection, now: Date): Filter {
  const system = { scope: FULL_SCOPE.system, ...nameCondition('', names) };
  const own = { scope: FULL_SCOPE.user, ...nameCondition(ownerPrefix(user), names) };
  return {
    ...(scope === 'all' ? { $or: [system, own] } : scope === 'user' ? own : system),
    ...(ids ? { _id: { $in: [...ids] } } : {}),
    expire_timestamp: { $not: { $lte: now } },
  };
}

/** Greater than every character that can follow the prefix. */
const LAST = '\u{10ffff}';

function nameCondition(owner: string, { prefix = '', name }: Pick<ItemSelection, 'prefix' | 'name'>): Filter {
  const start = owner + prefix;
  const condition = {
    ...(name === undefined ? {} : { $eq: owner + name }),
    // A range is what the index can look up; a pattern would have to be guarded against what users type.
    ...(start === '' ? {} : { $gte: start, $lt: start + LAST }),
  };
  return Object.keys(condition).length > 0 ? { name: condition } : {};
}
