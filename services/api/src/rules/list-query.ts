import { type AttributeRules, type QueryValues } from '@switchyard/http';
import type { RuleRecord } from '@switchyard/model';
import { ruleRecordSchema } from '@switchyard/model/resources';
import type { Filter } from '@switchyard/storage';
import { storedRef } from '@switchyard/triggers';
import { flagCondition, idCondition, textCondition } from '../lists/conditions';
import { sortableBy } from '../lists/sortable-by';
import { RULE_ATTRIBUTES } from './rule-view';

/** Query parameters that filter rules. */
export const ruleFilters = {
  id: { type: 'list', description: 'Ids' },
  name: { type: 'string' },
  pack: { type: 'string' },
  action: { type: 'string', description: 'Reference of the action' },
  trigger: { type: 'string', description: 'Reference of the trigger' },
  enabled: { type: 'string', description: 'true or false' },
  user: { type: 'string', description: 'Its creator' },
} as const;

export const ruleAttributes: AttributeRules = { known: RULE_ATTRIBUTES, always: ['ref'] };

export const RULE_ORDER = { pack: 1, name: 1 } as const;

export const SORTABLE_BY = sortableBy(ruleRecordSchema);

/** @throws Fault `request.object-id`, `request.flag` */
export function ruleFilter(query: QueryValues<typeof ruleFilters>): Filter<RuleRecord> {
  const { id, name, pack, action, trigger, enabled, user } = query;
  return {
    ...(id ? { _id: idCondition(id) } : {}),
    ...(name === undefined ? {} : { name: textCondition(name) }),
    ...(pack === undefined ? {} : { pack: textCondition(pack) }),
    ...(action === undefined ? {} : { 'action.ref': textCondition(action) }),
    ...(trigger === undefined ? {} : { trigger: textCondition(storedRef(trigger)) }),
    ...(enabled === undefined ? {} : { enabled: flagCondition(enabled) }),
    ...(user === undefined ? {} : { 'context.user': textCondition(user) }),
  };
}
