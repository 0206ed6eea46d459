import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { ruleAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { describedTo, viewRules } from './rule-view';
import { guardedRule } from './rule-permissions';

const getting =
  (
    place: { path: '/rules/{ref_or_id}' | '/rules/views/{ref_or_id}'; operation: string; summary: string },
    isDescribed: boolean,
  ) =>
  (deps: ApiDependencies): Route => {
    const { config, store } = deps;
    return route({
      method: 'GET',
      ...place,
      permission: 'rule_view',
      resource: guardedRule(deps),
      query: showSecretsParameter,
      response: { status: 200, schema: ruleAnswer },
      async handle(request) {
        const rule = await findRecord(store.rules, request.params.ref_or_id);
        const [body] = await viewRules(store, [rule], {
          secrets: secretsShown(request, config),
          described: isDescribed ? await describedTo(deps, request.requester) : undefined,
        });
        return { status: 200, body };
      },
    });
  };

export const getRuleRoute = getting(
  { path: '/rules/{ref_or_id}', operation: 'rules.get_one', summary: 'One rule' },
  false,
);

export const getRuleViewRoute = getting(
  {
    path: '/rules/views/{ref_or_id}',
    operation: 'rules_views.get_one',
    summary: 'One rule, with the descriptions of its trigger and action',
  },
  true,
);
