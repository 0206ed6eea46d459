import { idCondition, textCondition, type AttributeRules, type QueryValues } from '@switchyard/http';
import type { Filter } from '@switchyard/storage';
import { ACTION_ATTRIBUTES } from './action-view';

/** Query parameters by which actions are found. */
export const actionFilters = {
  id: { type: 'list', description: 'Ids' },
  name: { type: 'string' },
  pack: { type: 'string' },
  tags: { type: 'string', description: 'Name of a tag' },
} as const;

/** Leaving out other attributes would not make answers much smaller. */
export const actionAttributes: AttributeRules = {
  known: ACTION_ATTRIBUTES,
  excludable: ['parameters', 'notify'],
  always: ['ref'],
};

export const actionOrder = { pack: 1, name: 1 } as const;

/** @param maximum how many ids may be asked for @throws Fault `request.object-id`, `request.too-many-items` */
export function actionFilter(query: QueryValues<typeof actionFilters>, maximum?: number): Filter {
  const { id, name, pack, tags } = query;
  return {
    ...(id ? { _id: idCondition(id, maximum) } : {}),
    ...(name === undefined ? {} : { name: textCondition(name) }),
    ...(pack === undefined ? {} : { pack: textCondition(pack) }),
    ...(tags === undefined ? {} : { 'tags.name': textCondition(tags) }),
  };
}
