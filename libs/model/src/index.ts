export * from './alias';
export * from './configs';
export * from './criteria';
export * from './execution/due';
export * from './execution/share';
export * from './execution/statuses';
export * from './execution/unknown-runner';
export type { ActionAliasRecord, AliasAck, AliasResult } from './resources/action-alias';
export type {
  ActionRecord,
  DefinitionRecord,
  NotifySection,
  NotifySpec,
  ParameterDefinitions,
  RunnerTypeRecord,
} from './resources/action';
export type { Tag } from './resources/fields';
export type { ConfigRecord, ConfigSchemaRecord } from './resources/config';
export type { ElectionRecord } from './resources/election';
export type {
  BlobPointer,
  Claim,
  ExecutionRecord,
  OutputRecord,
  ProcessMark,
  StatusLogEntry,
} from './resources/execution';
export type { ApiKeyRecord, TokenRecord, UserRecord } from './resources/identity';
export type { InstanceRecord } from './resources/instance';
export type { KeyValueRecord, KeyValueScope } from './resources/key-value';
export type { PackRecord } from './resources/pack';
export type { LimitRecord, LimitedStart, PolicyRecord } from './resources/policy';
export * from './records/reference';
export type { RevisionRecord } from './resources/revision';
export type { RuleEnforcementRecord, RuleRecord } from './resources/rule';
export type { RuleStateRecord } from './resources/rule-state';
export type { SensorExit, SensorOwner, SensorRunState, SensorStateRecord, SensorTypeRecord } from './resources/sensor';
export * from './records/stand-in-definition';
export type { TimerRecord } from './resources/timer';
export type { TraceComponent, TraceComponentKind, TraceRecord } from './resources/trace';
export type {
  WorkflowDefinitionRecord,
  WorkflowJournalRecord,
  WorkflowOptions,
  WorkflowRecord,
} from './resources/workflow';
export type {
  TriggerInstanceOutcome,
  TriggerInstanceRecord,
  TriggerInstanceStatus,
} from './resources/trigger-instance';
export type { TriggerRecord, TriggerTypeRecord } from './resources/trigger';
export * from './records/unreadable-record';
export * from './policies';
export * from './rules';
export * from './schema';
export * from './parameters';
export * from './masking';
