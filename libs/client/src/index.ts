export { ApiError, ConnectionError, isNotFound } from './api-error';
export type { ClientCredentials, ClientOptions, ClientProxy } from './client-options';
export { createClient, type Client } from './create-client';
export type { FamilyOptions } from './events/follow-family';
export type { FollowOutputOptions, OutputChunk } from './events/follow-output';
export type { WaitOptions } from './events/wait-for-execution';
export type { EventQuery, ClientEvent } from './events/watch-events';
export type {
  Action,
  Actions,
  ActionAlias,
  ActionAliases,
  AliasCommand,
  AliasMatch,
  StartedAlias,
  RunnerType,
  RunnerTypesResource,
} from './resources/actions';
export type {
  ApiKey,
  ApiKeysResource,
  ApiKeyToLoad,
  NewApiKey,
  Token,
  TokensResource,
  CurrentUser,
} from './resources/credentials';
export type {
  PackConfiguration,
  ConfigSchema,
  Configs,
  IndexedPack,
  Pack,
  PackInstallation,
  Packs,
} from './resources/packs';
export type { Execution, ExecutionDraft, ExecutionsResource, RerunDraft } from './resources/executions';
export type { Inquiry, InquiriesResource } from './resources/inquiries';
export type { Key, KeyQuery, KeyScope, Keys, KeyToSet } from './resources/keys';
export type { Attributes, Filters, ListQuery, ListPage } from './resources/records';
export type { Policies, Policy, PolicyType, PolicyTypes } from './resources/policies';
export type { RuleEnforcement, RuleEnforcements, Backtest, BacktestRun, Rule, RulesResource } from './resources/rules';
export type { Sensor, Sensors, SensorState } from './resources/sensors';
export type {
  Timer,
  Timers,
  Trigger,
  TriggersResource,
  TriggerType,
  TriggerTypesResource,
  Webhooks,
} from './resources/triggers';
export { isWorkflow, taskOf, type TaskOfWorkflow } from './resources/workflow-tasks';
export type { TriggerInstance, TriggerInstances } from './resources/trigger-instances';
export type { Trace, TraceCause, TracePart, TracesResource } from './resources/traces';
export type { ObservedAnswer, ObservedRequest, Observer } from './transport/observer';
