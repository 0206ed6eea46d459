import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { getPolicyRoute, listPoliciesRoute } from './read';
import { createPolicyRoute, deletePolicyRoute, updatePolicyRoute } from './write';

export const policyRoutes = (deps: ApiDependencies): Route[] => [
  listPoliciesRoute(deps),
  createPolicyRoute(deps),
  getPolicyRoute(deps),
  updatePolicyRoute(deps),
  deletePolicyRoute(deps),
];
