import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { getRuleRoute, getRuleViewRoute } from './get';
import { listRulesRoute, listRuleViewsRoute } from './list';
import { createRuleRoute, deleteRuleRoute, updateRuleRoute } from './write';

export const ruleRoutes = (deps: ApiDependencies): Route[] => [
  listRulesRoute(deps),
  createRuleRoute(deps),
  listRuleViewsRoute(deps),
  getRuleViewRoute(deps),
  getRuleRoute(deps),
  updateRuleRoute(deps),
  deleteRuleRoute(deps),
];
