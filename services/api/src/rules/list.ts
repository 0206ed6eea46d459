import {
  attributeParameters,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  type Route,
  secretsShown,
  showSecretsParameter,
  sortParameter,
} from '@switchyard/http';
import type { RuleRecord } from '@switchyard/model';
import { ruleAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { listPage } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { RULE_ORDER, SORTABLE_BY, ruleAttributes, ruleFilter, ruleFilters } from './list-query';
import { describedTo, RULE_ATTRIBUTES, viewRules } from './rule-view';
import { storedFields } from '../lists/stored-fields';
import { visibleRecords } from '../permissions/visible-records';
import { visibleRules } from './rule-permissions';

interface Listing {
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly isDescribed: boolean;
}

/** The records that views are built from. */
const NEEDED = ['ref', 'trigger', 'action'] as const;

const listing =
  ({ isDescribed, ...place }: Listing) =>
  (deps: ApiDependencies): Route => {
    const { config, store } = deps;
    return route({
      method: 'GET',
      ...place,
      permission: 'rule_list',
      query: { ...ruleFilters, ...showSecretsParameter, ...sortParameter, ...pageParameters, ...attributeParameters },
      response: { status: 200, schema: listed(ruleAnswer) },
      async handle(request) {
        const page = readPage(request, { maxPageSize: config.api.max_page_size });
        const selection = readAttributes(request.query, ruleAttributes);
        const filter = await visibleRecords(deps, request.requester, visibleRules, ruleFilter(request.query));
        const sort = readSort(request.query.sort, SORTABLE_BY, RULE_ORDER);
        const fields = storedFields<RuleRecord>(selection, RULE_ATTRIBUTES, NEEDED);
        const options = {
          secrets: secretsShown(request, config),
          described: isDescribed ? await describedTo(deps, request.requester) : undefined,
        };
        return listPage(
          store.rules,
          { filter, sort, page, fields, budget: pageBudget(config, request) },
          async (records) => (await viewRules(store, records, options)).map((view) => selection.apply(view)),
        );
      },
    });
  };

export const listRulesRoute = listing({
  path: '/rules',
  operation: 'rules.get_all',
  summary: 'Rules by pack and name',
  isDescribed: false,
});

export const listRuleViewsRoute = listing({
  path: '/rules/views',
  operation: 'rules_views.get_all',
  summary: 'Rules with the descriptions of their triggers and actions',
  isDescribed: true,
});
