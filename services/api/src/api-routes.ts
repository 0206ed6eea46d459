import { indexRoute, type Route } from '@switchyard/http';
import type { ApiDependencies } from './api-dependencies';
import { actionRoutes } from './routes/actions';
import { aliasRoutes } from './routes/aliases';
import { apiKeyRoutes } from './routes/api-keys';
import { configRoutes } from './routes/configs';
import { executionRoutes } from './routes/executions';
import { inquiryRoutes } from './routes/inquiries';
import { keyRoutes } from './routes/keys';
import { liveactionRoutes } from './routes/liveactions';
import { packFileRoutes } from './routes/pack-files';
import { packIndexRoutes } from './routes/pack-index';
import { packInstallationRoutes } from './routes/pack-installation';
import { packRemovalRoutes } from './routes/pack-removal';
import { packRoutes } from './routes/packs';
import { policyRoutes } from './routes/policies';
import { policyTypeRoutes } from './routes/policy-types';
import { ruleBacktestRoutes } from './routes/rule-backtest';
import { ruleEnforcementRoutes } from './routes/rule-enforcements';
import { ruleTypeRoutes } from './routes/rule-types';
import { ruleRoutes } from './routes/rules';
import { runnerTypeRoutes } from './routes/runner-types';
import { sensorTypeRoutes } from './routes/sensor-types';
import { timerRoutes } from './routes/timers';
import { traceRoutes } from './routes/traces';
import { triggerInstanceReplayRoutes } from './routes/trigger-instance-replay';
import { triggerInstanceRoutes } from './routes/trigger-instances';
import { triggerTypeRoutes } from './routes/trigger-types';
import { triggerRoutes } from './routes/triggers';
import { userRoutes } from './routes/user';
import { webhookRoutes } from './routes/webhooks';
import { workflowInspectionRoutes } from './routes/workflow-inspection';

/** The operations of the API, for its own listener and for any other that they are to hang at. */
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
  ...traceRoutes(deps),
  ...keyRoutes(deps),
  ...apiKeyRoutes({
    apiKeys: deps.identities.apiKeys,
    maskSecrets: deps.config.api.mask_secrets,
    maxPageSize: deps.config.api.max_page_size,
    limits: deps.config.limits,
    logger: deps.logger,
  }),
  ...userRoutes(deps.identities.access),
];
