import { fault } from '@switchyard/base';
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
import type { RuleEnforcementRecord } from '@switchyard/model';
import { attributeNames, ruleEnforcementAnswer, ruleEnforcementRecordSchema } from '@switchyard/model/resources';
import { where, type Filter, type RecordPath, type Store } from '@switchyard/storage';
import { idCondition, textCondition, timeCondition } from '../lists/conditions';
import type { ApiDependencies } from '../api-dependencies';
import { listPage } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { ENFORCEMENT_ATTRIBUTES, enforcementView, enforcementViewAnswer, viewEnforcements } from './enforcement-view';
import { storedFields } from '../lists/stored-fields';
import { sortableBy } from '../lists/sortable-by';
import { visibleRecords } from '../permissions/visible-records';
import { guardedEnforcement, visibleEnforcements } from './rule-permissions';

export const ruleEnforcementRoutes = (deps: ApiDependencies): Route[] => [
  listEnforcements(deps, false),
  listEnforcements(deps, true),
  getEnforcementView(deps),
  getEnforcement(deps),
];

const DEFAULT_LIMIT = 50;
/** Number of instances and executions, which may be large, in memory at once. */
const TOGETHER = 5;

const filters = {
  id: { type: 'list', description: 'Ids' },
  name: { type: 'string', description: 'Id of the enforcement: clients look up every resource by name first' },
  rule_ref: { type: 'string', description: 'Reference of the rule' },
  rule_id: { type: 'string', description: 'Id of the rule' },
  execution: { type: 'string', description: 'Id of the execution' },
  trigger_instance: { type: 'string', description: 'Id of the trigger instance' },
  status: { type: 'string', description: 'succeeded or failed' },
  enforced_at_gt: { type: 'string', description: 'Enforced after' },
  enforced_at_lt: { type: 'string', description: 'Enforced before' },
} as const;

const FIELDS = {
  name: '_id',
  rule_ref: 'rule.ref',
  rule_id: 'rule.id',
  execution: 'execution_id',
  trigger_instance: 'trigger_instance_id',
  status: 'status',
} as const satisfies Record<string, RecordPath<RuleEnforcementRecord>>;

const SORTABLE = sortableBy(ruleEnforcementRecordSchema);
const VIEWED = attributeNames(enforcementViewAnswer);

type Asked = { readonly [Name in Exclude<keyof typeof filters, 'id'>]?: string | undefined } & {
  readonly id?: readonly string[] | undefined;
};

function enforcementFilter(query: Asked): Filter<RuleEnforcementRecord> {
  const named = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).flatMap((name) => {
    const given = query[name];
    return given === undefined ? [] : [where<RuleEnforcementRecord>(FIELDS[name], textCondition(given))];
  });
  const enforced = timeCondition({ after: query.enforced_at_gt, before: query.enforced_at_lt });
  const chosen: Filter<RuleEnforcementRecord> = {
    ...(query.id ? { _id: idCondition(query.id) } : {}),
    ...(enforced ? { enforced_at: enforced } : {}),
  };
  return Object.assign({}, ...named, chosen) as Filter<RuleEnforcementRecord>;
}

const listEnforcements = (deps: ApiDependencies, viewed: boolean): Route => {
  const { config, store } = deps;
  return route({
    method: 'GET',
    path: viewed ? '/ruleenforcements/views' : '/ruleenforcements',
    operation: viewed ? 'rule_enforcements_views.get_all' : 'rule_enforcements.get_all',
    summary: viewed
      ? 'Rule enforcements with their trigger instances and executions'
      : 'Rule enforcements, newest first',
    permission: 'rule_enforcement_list',
    query: { ...filters, ...showSecretsParameter, ...sortParameter, ...pageParameters, ...attributeParameters },
    response: { status: 200, schema: listed(viewed ? enforcementViewAnswer : ruleEnforcementAnswer) },
    async handle(request) {
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, { known: viewed ? VIEWED : ENFORCEMENT_ATTRIBUTES });
      const filter = await visibleRecords(
        deps,
        request.requester,
        visibleEnforcements,
        enforcementFilter(request.query),
      );
      const sort = readSort(request.query.sort, SORTABLE, { enforced_at: -1 });
      const needed = viewed ? (['trigger_instance_id', 'execution_id'] as const) : [];
      const fields = storedFields<RuleEnforcementRecord>(selection, ENFORCEMENT_ATTRIBUTES, needed);
      const shown = secretsShown(request, config);
      const asked = {
        filter,
        sort,
        page,
        fields,
        budget: pageBudget(config, request),
        ...(viewed ? { together: TOGETHER } : {}),
      };
      return listPage(store.ruleEnforcements, asked, async (records) => {
        const views = viewed
          ? await viewEnforcements(deps, records, request.requester, shown)
          : records.map(enforcementView);
        return views.map((view) => selection.apply(view));
      });
    },
  });
};

const getEnforcement = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/ruleenforcements/{id}',
    operation: 'rule_enforcements.get_one',
    summary: 'One rule enforcement',
    permission: 'rule_enforcement_view',
    resource: guardedEnforcement(deps),
    response: { status: 200, schema: ruleEnforcementAnswer },
    handle: async ({ params }) => ({ status: 200, body: enforcementView(await find(deps.store, params.id)) }),
  });

const getEnforcementView = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/ruleenforcements/views/{id}',
    operation: 'rule_enforcements_views.get_one',
    summary: 'One rule enforcement with its trigger instance and execution',
    permission: 'rule_enforcement_view',
    resource: guardedEnforcement(deps),
    query: showSecretsParameter,
    response: { status: 200, schema: enforcementViewAnswer },
    async handle(request) {
      const record = await find(deps.store, request.params.id);
      const [body] = await viewEnforcements(deps, [record], request.requester, secretsShown(request, deps.config));
      return { status: 200, body };
    },
  });

async function find(
  { ruleEnforcements }: Pick<Store, 'ruleEnforcements'>,
  id: string | undefined,
): Promise<RuleEnforcementRecord> {
  const record = await ruleEnforcements.get(id ?? '');
  if (!record) throw fault('resource.id-not-found', { id: id ?? '' });
  return record;
}
