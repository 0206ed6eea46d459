import { type AttributeRules, type QueryValues } from '@switchyard/http';
import type { ActionRecord } from '@switchyard/model';
import type { Filter } from '@switchyard/storage';
import { idCondition, textCondition } from '../lists/conditions';
import { ACTION_ATTRIBUTES } from './action-view';
import { visibleInPacks } from '../permissions/visible-records';

/** Query parameters that filter actions. */
export const actionFilters = {
  id: { type: 'list', description: 'Ids' },
  name: { type: 'string' },
  pack: { type: 'string' },
  tags: { type: 'string', description: 'Name of a tag' },
} as const;

/** Excluding other attributes would hardly make responses smaller. */
export const actionAttributes: AttributeRules = {
  known: ACTION_ATTRIBUTES,
  excludable: ['parameters', 'notify'],
  always: ['ref'],
};

export const visibleActions = visibleInPacks<ActionRecord>('action');

export const actionOrder = { pack: 1, name: 1 } as const;

/** @param maximum number of ids in one request @throws Fault `request.object-id`, `request.too-many-items` */
export function actionFilter(query: QueryValues<typeof actionFilters>, maximum?: number): Filter<ActionRecord> {
  const { id, name, pack, tags } = query;
  return {
    ...(id ? { _id: idCondition(id, maximum) } : {}),
    ...(name === undefined ? {} : { name: textCondition(name) }),
    ...(pack === undefined ? {} : { pack: textCondition(pack) }),
    ...(tags === undefined ? {} : { 'tags.name': textCondition(tags) }),
  };
}
