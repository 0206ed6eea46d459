import { indexRoute, type Route } from '@switchyard/http';
import type { ApiDependencies } from './api-dependencies';
import { actionRoutes } from './actions/action-routes';
import { aliasRoutes } from './aliases/alias-routes';
import { apiKeyRoutes } from './api-keys/api-key-routes';
import { auditRoutes } from './audit/audit-routes';
import { configRoutes } from './configs/config-routes';
import { executionRoutes } from './executions/execution-routes';
import { inquiryRoutes } from './inquiries/inquiry-routes';
import { keyRotationRoutes } from './key-rotation/key-rotation-routes';
import { keyRoutes } from './keys/key-routes';
import { liveactionRoutes } from './executions/liveaction-routes';
import { packFileRoutes } from './packs/pack-file-routes';
import { packIndexRoutes } from './packs/pack-index-routes';
import { packInstallationRoutes } from './packs/pack-installation-routes';
import { packRemovalRoutes } from './packs/pack-removal-routes';
import { packRoutes } from './packs/pack-routes';
import { policyRoutes } from './policies/policy-routes';
import { policyTypeRoutes } from './policies/policy-type-routes';
import { purgeRoutes } from './purge/purge-routes';
import { rbacRoutes } from './rbac/rbac-routes';
import { ruleBacktestRoutes } from './rules/backtest/rule-backtest-routes';
import { ruleEnforcementRoutes } from './rules/rule-enforcement-routes';
import { ruleTypeRoutes } from './rules/rule-type-routes';
import { ruleRoutes } from './rules/rule-routes';
import { runnerTypeRoutes } from './runner-types/runner-type-routes';
import { sensorTypeRoutes } from './sensors/sensor-type-routes';
import { serviceRegistryRoutes } from './service-registry/service-registry-routes';
import { statusRoutes } from './status/status-routes';
import { timerRoutes } from './triggers/timer-routes';
import { traceRoutes } from './traces/trace-routes';
import { triggerInstanceReplayRoutes } from './triggers/trigger-instance-replay-routes';
import { triggerInstanceRoutes } from './triggers/trigger-instance-routes';
import { triggerTypeRoutes } from './triggers/trigger-type-routes';
import { triggerRoutes } from './triggers/trigger-routes';
import { userRoutes } from './users/user-routes';
import { webhookRoutes } from './webhooks/webhook-routes';
import { workflowInspectionRoutes } from './workflows/workflow-inspection-routes';
import { workflowOutlineRoute } from './workflows/workflow-outline-route';
import { workflowRehearsalRoute } from './workflows/workflow-rehearsal-route';

/** The routes of the API, for its own listener or any other. */
export const apiRoutes = (deps: ApiDependencies): Route[] => [
  indexRoute(deps.about),
  ...executionRoutes(deps),
  ...liveactionRoutes(deps),
  ...inquiryRoutes(deps),
  ...actionRoutes(deps),
  ...aliasRoutes(deps),
  ...runnerTypeRoutes(deps),
  ...sensorTypeRoutes(deps),
  ...packRoutes(deps),
  ...packFileRoutes(deps),
  ...configRoutes(deps),
  ...packIndexRoutes(deps),
  ...packInstallationRoutes(deps),
  ...packRemovalRoutes(deps),
  ...policyTypeRoutes(deps),
  ...policyRoutes(deps),
  ...triggerTypeRoutes(deps),
  ...triggerRoutes(deps),
  ...triggerInstanceRoutes(deps),
  ...triggerInstanceReplayRoutes(deps),
  ...timerRoutes(deps),
  ...ruleRoutes(deps),
  ...ruleBacktestRoutes(deps),
  ...ruleTypeRoutes(deps),
  ...ruleEnforcementRoutes(deps),
  ...webhookRoutes(deps),
  ...workflowInspectionRoutes(deps),
  workflowOutlineRoute(deps),
  workflowRehearsalRoute(deps),
  ...traceRoutes(deps),
  ...keyRoutes(deps),
  ...keyRotationRoutes(deps),
  ...purgeRoutes(deps),
  ...apiKeyRoutes(deps),
  ...auditRoutes(deps),
  ...rbacRoutes(deps),
  ...serviceRegistryRoutes(deps),
  ...statusRoutes(deps),
  ...userRoutes(deps.identities.access),
];
