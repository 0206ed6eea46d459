export * from './alias';
export * from './audit';
export * from './configs';
export * from './criteria';
export * from './dates';
export * from './execution/statuses';
export * from './execution/share';
export * from './execution/statuses';
export * from './execution/unknown-runner';
export type {
  ActionAlias,
  ActionAliasRecord,
  AliasAck,
  AliasMatch,
  AliasResult,
  StartedAlias,
} from './resources/action-alias';
export type {
  Action,
  ActionRecord,
  DefinitionRecord,
  NotifySection,
  NotifySpec,
  ParameterDefinitions,
  RunnerType,
  RunnerTypeRecord,
} from './resources/action';
export type { Audit, AuditCheck, AuditEntry, AuditHead, AuditKind, AuditOutcome, AuditRecord } from './resources/audit';
export type { Tag } from './resources/fields';
export type { ConfigRecord, ConfigSchema, ConfigSchemaRecord, PackConfiguration } from './resources/config';
export type { ElectionRecord } from './resources/election';
export type {
  BlobPointer,
  Claim,
  Execution,
  ExecutionRecord,
  Inquiry,
  OutputRecord,
  ProcessMark,
  StatusLogEntry,
} from './resources/execution';
export type { ExecutionStatistics } from './resources/execution-statistics';
export type {
  ApiKey,
  ApiKeyRecord,
  CurrentUser,
  HeldPermission,
  NewApiKey,
  ListedToken,
  Token,
  TokenRecord,
  UserRecord,
} from './resources/identity';
export type { InstanceKeys, InstanceRecord } from './resources/instance';
export type { KeyRotation, KeyRotationRecord, KeyRotationRequest, RotationStage } from './resources/key-rotation';
export type { Key, KeyValueRecord, KeyValueScope } from './resources/key-value';
export type { PurgeKind, PurgeRequest, PurgeStep, RemovalRecord } from './resources/removal';
export type { LoginFailureRecord } from './resources/login-failure';
export type { LoginGrantRecord, SingleSignOn, TerminalProof } from './resources/login-grant';
export type { IndexedPack, Pack, PackRecord } from './resources/pack';
export type { LimitRecord, LimitedStart, Policy, PolicyRecord, PolicyType } from './resources/policy';
export * from './permissions';
export * from './records/bound-role';
export * from './records/notify-routes';
export * from './records/reference';
export * from './records/registry-groups';
export * from './records/rotation-view';
export type { RevisionRecord } from './resources/revision';
export type { PoolStatus, QueueStatus, Replica, StatusProblem, SystemStatus } from './resources/system-status';
export type { RegistryMember } from './resources/service-registry';
export type {
  ChangeCounts,
  GivenGrant,
  GroupMappingRecord,
  PermissionGrant,
  Role,
  RoleAssignment,
  RoleAssignmentRecord,
  RoleChanges,
  RoleRecord,
} from './resources/role';
export type { Backtest, BacktestRun, Rule, RuleEnforcement, RuleEnforcementRecord, RuleRecord } from './resources/rule';
export type { RuleStateRecord } from './resources/rule-state';
export type {
  Sensor,
  SensorExit,
  SensorOwner,
  SensorRunState,
  SensorLog,
  SensorLogLine,
  SensorLogRecord,
  SensorState,
  SensorStateRecord,
  SensorTypeRecord,
} from './resources/sensor';
export * from './records/stand-in-definition';
export type { TimerRecord, TimerTimes, UpcomingTimes } from './resources/timer';
export type { Trace, TraceComponent, TraceComponentKind, TracePart, TraceRecord } from './resources/trace';
export type { WebhookDeliveryRecord } from './resources/webhook-delivery';
export type {
  WorkflowDefinitionRecord,
  WorkflowJournalRecord,
  WorkflowOptions,
  WorkflowRecord,
} from './resources/workflow';
export type {
  TriggerInstance,
  TriggerInstanceOutcome,
  TriggerInstanceRecord,
  TriggerInstanceStatus,
} from './resources/trigger-instance';
export type { Trigger, TriggerRecord, TriggerType, TriggerTypeRecord } from './resources/trigger';
export * from './records/unreadable-record';
export * from './records/whole-tags';
export * from './policies';
export * from './rules';
export * from './terminal-login';
export * from './schema';
export * from './parameters';
export * from './masking';
