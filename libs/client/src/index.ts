export { ApiError, ConnectionError, isNotFound } from './api-error';
export type { ClientCredentials, ClientOptions, ClientProxy } from './client-options';
export { createClient, type Client } from './create-client';
export type { FamilyOptions } from './events/follow-family';
export type { FollowOutputOptions, OutputChunk } from './events/follow-output';
export type { WaitOptions } from './events/wait-for-execution';
export type { EventQuery, ClientEvent } from './events/watch-events';
export type { Actions, ActionAliases, AliasCommand, RunnerTypesResource } from './resources/actions';
export type { ApiKeyLimits, ApiKeysResource, ApiKeyToLoad, TokensResource } from './resources/credentials';
export type { Configs, PackFileProblem, PackInstallation, Packs } from './resources/packs';
export type { ExecutionDraft, ExecutionsResource, RerunDraft } from './resources/executions';
export type { InquiriesResource } from './resources/inquiries';
export type { KeyRotations } from './resources/key-rotation';
export type { KeyQuery, KeyScope, Keys, KeyToSet } from './resources/keys';
export type { Attributes, Filters, Listed, ListQuery, ListPage } from './resources/records';
export type { Policies, PolicyTypes } from './resources/policies';
export type { RuleEnforcements, RulesResource } from './resources/rules';
export type { Sensors } from './resources/sensors';
export type { ServiceRegistry } from './resources/service-registry';
export type { Timers, TriggersResource, TriggerTypesResource, Webhooks } from './resources/triggers';
export { isWorkflow, taskOf, type TaskOfWorkflow } from './resources/workflow-tasks';
export type { DefinitionFinding, WorkflowDefinitions } from './resources/workflow-definitions';
export type { TriggerInstances } from './resources/trigger-instances';
export type { TracesResource } from './resources/traces';
export type { ObservedAnswer, ObservedRequest, Observer } from './transport/observer';
export type {
  Action,
  ActionAlias,
  AliasMatch,
  ApiKey,
  Backtest,
  BacktestRun,
  ConfigSchema,
  CurrentUser,
  Execution,
  IndexedPack,
  Inquiry,
  Key,
  KeyRotation,
  NewApiKey,
  Pack,
  PackConfiguration,
  Policy,
  PolicyType,
  Rule,
  RuleEnforcement,
  RunnerType,
  Sensor,
  SensorState,
  SingleSignOn,
  StartedAlias,
  SystemStatus,
  TerminalProof,
  Token,
  Trace,
  TracePart,
  Trigger,
  TriggerInstance,
  TriggerType,
} from '@switchyard/model';
