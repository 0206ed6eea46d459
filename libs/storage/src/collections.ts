import type {
  ActionAliasRecord,
  ActionRecord,
  ApiKeyRecord,
  AuditRecord,
  ConfigSchemaRecord,
  DefinitionRecord,
  ElectionRecord,
  ExecutionRecord,
  GroupMappingRecord,
  InstanceRecord,
  KeyRotationRecord,
  KeyValueRecord,
  LimitRecord,
  LoginFailureRecord,
  LoginGrantRecord,
  OutputRecord,
  PackRecord,
  PolicyRecord,
  RemovalRecord,
  RevisionRecord,
  RoleAssignmentRecord,
  RoleRecord,
  RuleEnforcementRecord,
  RuleRecord,
  RuleStateRecord,
  RunnerTypeRecord,
  SensorStateRecord,
  SensorTypeRecord,
  TimerRecord,
  TokenRecord,
  TraceRecord,
  TriggerInstanceRecord,
  TriggerRecord,
  TriggerTypeRecord,
  UserRecord,
  WebhookDeliveryRecord,
  WorkflowDefinitionRecord,
  WorkflowJournalRecord,
  WorkflowRecord,
} from '@switchyard/model';
import type { Connection } from 'mongoose';
import { Collection, type CheckWrite } from './collection';
import type { MetaRecord } from './migrations/migrate';
import type { BlobPart } from './repositories/blobs';
import type { SealedConfig } from './repositories/configs';
import { auditLayout } from './layouts/audit-layouts';
import {
  actionAliasLayout,
  configLayout,
  configSchemaLayout,
  actionLayout,
  packLayout,
  runnerTypeLayout,
} from './layouts/content-layouts';
import { blobLayout, definitionLayout, executionLayout, outputLayout } from './layouts/execution-layouts';
import {
  keyValueLayout,
  ruleEnforcementLayout,
  ruleLayout,
  ruleStateLayout,
  sensorStateLayout,
  sensorTypeLayout,
  traceLayout,
  triggerInstanceLayout,
  triggerLayout,
  triggerTypeLayout,
  webhookDeliveryLayout,
  electionLayout,
  timerLayout,
} from './layouts/event-layouts';
import {
  apiKeyLayout,
  loginFailureLayout,
  loginGrantLayout,
  tokenLayout,
  userLayout,
} from './layouts/identity-layouts';
import {
  instanceLayout,
  keyRotationLayout,
  metaLayout,
  removalLayout,
  revisionLayout,
} from './layouts/operation-layouts';
import { limitLayout, policyLayout } from './layouts/policy-layouts';
import { groupMappingLayout, roleAssignmentLayout, roleLayout } from './layouts/role-layouts';
import { workflowDefinitionLayout, workflowJournalLayout, workflowLayout } from './layouts/workflow-layouts';

/**
 * The collections of a store, with the indexes declared in their layouts. Does no I/O.
 * @param checkWrite is called for every write; for tests
 */
export function storeCollections(connection: Connection, checkWrite?: CheckWrite) {
  return {
    executions: new Collection<ExecutionRecord>(connection, 'executions', executionLayout, checkWrite),
    output: new Collection<OutputRecord>(connection, 'execution_output', outputLayout, checkWrite),
    blobs: new Collection<BlobPart>(connection, 'blobs', blobLayout, checkWrite),
    definitions: new Collection<DefinitionRecord>(connection, 'definitions', definitionLayout, checkWrite),
    actions: new Collection<ActionRecord>(connection, 'actions', actionLayout, checkWrite),
    actionAliases: new Collection<ActionAliasRecord>(connection, 'action_aliases', actionAliasLayout, checkWrite),
    runnerTypes: new Collection<RunnerTypeRecord>(connection, 'runner_types', runnerTypeLayout, checkWrite),
    packs: new Collection<PackRecord>(connection, 'packs', packLayout, checkWrite),
    configSchemas: new Collection<ConfigSchemaRecord>(connection, 'config_schemas', configSchemaLayout, checkWrite),
    configs: new Collection<SealedConfig>(connection, 'configs', configLayout, checkWrite),
    users: new Collection<UserRecord>(connection, 'users', userLayout, checkWrite),
    tokens: new Collection<TokenRecord>(connection, 'tokens', tokenLayout, checkWrite),
    apiKeys: new Collection<ApiKeyRecord>(connection, 'api_keys', apiKeyLayout, checkWrite),
    roles: new Collection<RoleRecord>(connection, 'roles', roleLayout, checkWrite),
    roleAssignments: new Collection<RoleAssignmentRecord>(
      connection,
      'role_assignments',
      roleAssignmentLayout,
      checkWrite,
    ),
    groupMappings: new Collection<GroupMappingRecord>(connection, 'group_mappings', groupMappingLayout, checkWrite),
    audit: new Collection<AuditRecord>(connection, 'audit', auditLayout, checkWrite),
    instances: new Collection<InstanceRecord>(connection, 'instances', instanceLayout, checkWrite),
    elections: new Collection<ElectionRecord>(connection, 'elections', electionLayout, checkWrite),
    timers: new Collection<TimerRecord>(connection, 'timers', timerLayout, checkWrite),
    triggerTypes: new Collection<TriggerTypeRecord>(connection, 'trigger_types', triggerTypeLayout, checkWrite),
    triggers: new Collection<TriggerRecord>(connection, 'triggers', triggerLayout, checkWrite),
    triggerInstances: new Collection<TriggerInstanceRecord>(
      connection,
      'trigger_instances',
      triggerInstanceLayout,
      checkWrite,
    ),
    rules: new Collection<RuleRecord>(connection, 'rules', ruleLayout, checkWrite),
    ruleEnforcements: new Collection<RuleEnforcementRecord>(
      connection,
      'rule_enforcements',
      ruleEnforcementLayout,
      checkWrite,
    ),
    ruleStates: new Collection<RuleStateRecord>(connection, 'rule_states', ruleStateLayout, checkWrite),
    loginFailures: new Collection<LoginFailureRecord>(connection, 'login_failures', loginFailureLayout, checkWrite),
    loginGrants: new Collection<LoginGrantRecord>(connection, 'login_grants', loginGrantLayout, checkWrite),
    policies: new Collection<PolicyRecord>(connection, 'policies', policyLayout, checkWrite),
    limits: new Collection<LimitRecord>(connection, 'limits', limitLayout, checkWrite),
    webhookDeliveries: new Collection<WebhookDeliveryRecord>(
      connection,
      'webhook_deliveries',
      webhookDeliveryLayout,
      checkWrite,
    ),
    removals: new Collection<RemovalRecord>(connection, 'removals', removalLayout, checkWrite),
    revisions: new Collection<RevisionRecord>(connection, 'revisions', revisionLayout, checkWrite),
    traces: new Collection<TraceRecord>(connection, 'traces', traceLayout, checkWrite),
    workflows: new Collection<WorkflowRecord>(connection, 'workflows', workflowLayout, checkWrite),
    workflowJournal: new Collection<WorkflowJournalRecord>(
      connection,
      'workflow_journal',
      workflowJournalLayout,
      checkWrite,
    ),
    workflowDefinitions: new Collection<WorkflowDefinitionRecord>(
      connection,
      'workflow_definitions',
      workflowDefinitionLayout,
      checkWrite,
    ),
    keyRotations: new Collection<KeyRotationRecord>(connection, 'key_rotations', keyRotationLayout, checkWrite),
    keyValues: new Collection<KeyValueRecord>(connection, 'key_values', keyValueLayout, checkWrite),
    sensorTypes: new Collection<SensorTypeRecord>(connection, 'sensor_types', sensorTypeLayout, checkWrite),
    sensorStates: new Collection<SensorStateRecord>(connection, 'sensor_states', sensorStateLayout, checkWrite),
    meta: new Collection<MetaRecord>(connection, 'meta', metaLayout, checkWrite),
  };
}

export type StoreCollections = ReturnType<typeof storeCollections>;
