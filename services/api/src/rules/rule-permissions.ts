import type { Guarded, RouteRequest } from '@switchyard/http';
import { toUid, type RuleEnforcementRecord, type RuleRecord } from '@switchyard/model';
import { startingWith, where } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { guardedRecord, uidOf } from '../permissions/guarded-record';
import { among, isIsolated, visibleInPacks, type Visibility } from '../permissions/visible-records';

type Deps = Pick<ApiDependencies, 'store' | 'config' | 'identities'>;
type RuleNamed = Pick<RouteRequest<unknown, { readonly ref_or_id: string }>, 'params' | 'requester'>;

export const visibleRules: Visibility<RuleRecord> = { ...visibleInPacks('rule'), owner: 'context.user' };

/** The rule that a path names. With permission isolation, it must belong to the requester. */
export const guardedRule =
  (deps: Deps) =>
  async ({ params: { ref_or_id: named }, requester }: RuleNamed): Promise<Guarded> => {
    const checked = await guardedRecord('rule', deps.store.rules, named);
    const rule = isIsolated(deps, requester) ? await deps.store.rules.find(named) : undefined;
    return rule ? { ...checked, owner: String(rule.context.user) } : checked;
  };

/** Users who may view a rule may view its enforcements. */
export const visibleEnforcements: Visibility<RuleEnforcementRecord> = {
  permission: 'rule_enforcement_view',
  matching: (granted) => [
    ...among<RuleEnforcementRecord>('_id', granted.names('rule_enforcement')),
    ...among<RuleEnforcementRecord>('rule.ref', granted.refs('rule')),
    ...granted.names('pack').map((pack) => where<RuleEnforcementRecord>('rule.ref', startingWith(`${pack}.`))),
  ],
};

export const guardedEnforcement =
  ({ store }: Pick<Deps, 'store'>) =>
  async ({ params: { id } }: Pick<RouteRequest<unknown, { readonly id: string }>, 'params'>): Promise<Guarded> => {
    const record = await store.ruleEnforcements.get(id);
    const uid = toUid('rule_enforcement', id);
    return { uid, parents: record ? [uidOf('rule', record.rule.ref)] : [] };
  };
