import type {
  ActionAliasRecord,
  ActionRecord,
  ApiKeyRecord,
  ConfigSchemaRecord,
  DefinitionRecord,
  ElectionRecord,
  ExecutionRecord,
  InstanceRecord,
  KeyValueRecord,
  LimitRecord,
  OutputRecord,
  PackRecord,
  PolicyRecord,
  RevisionRecord,
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
  WorkflowDefinitionRecord,
  WorkflowJournalRecord,
  WorkflowRecord,
} from '@switchyard/model';
import type { Connection } from 'mongoose';
import { Collection } from './collection';
import type { MetaRecord } from './migrations/migrate';
import type { BlobPart } from './repositories/blobs';
import type { SealedConfig } from './repositories/configs';
import { actionAliasSchema } from './schemas/alias-schemas';
import { configSchema, configSchemaSchema } from './schemas/config-schemas';
import { actionSchema, packSchema, runnerTypeSchema } from './schemas/content-schemas';
import { blobSchema, definitionSchema, executionSchema, outputSchema } from './schemas/execution-schemas';
import {
  keyValueSchema,
  ruleEnforcementSchema,
  ruleSchema,
  ruleStateSchema,
  sensorStateSchema,
  sensorTypeSchema,
  traceSchema,
  triggerInstanceSchema,
  triggerSchema,
  triggerTypeSchema,
} from './schemas/event-schemas';
import { apiKeySchema, tokenSchema, userSchema } from './schemas/identity-schemas';
import { instanceSchema, metaSchema, revisionSchema } from './schemas/operation-schemas';
import { limitSchema, policySchema } from './schemas/policy-schemas';
import { electionSchema, timerSchema } from './schemas/timer-schemas';
import { workflowDefinitionSchema, workflowJournalSchema, workflowSchema } from './schemas/workflow-schemas';

/** The collections of a store, with the indexes that their schemas declare. Reads and writes nothing. */
export function storeCollections(connection: Connection) {
  return {
    executions: new Collection<ExecutionRecord>(connection, 'executions', executionSchema),
    output: new Collection<OutputRecord>(connection, 'execution_output', outputSchema),
    blobs: new Collection<BlobPart>(connection, 'blobs', blobSchema),
    definitions: new Collection<DefinitionRecord>(connection, 'definitions', definitionSchema),
    actions: new Collection<ActionRecord>(connection, 'actions', actionSchema),
    actionAliases: new Collection<ActionAliasRecord>(connection, 'action_aliases', actionAliasSchema),
    runnerTypes: new Collection<RunnerTypeRecord>(connection, 'runner_types', runnerTypeSchema),
    packs: new Collection<PackRecord>(connection, 'packs', packSchema),
    configSchemas: new Collection<ConfigSchemaRecord>(connection, 'config_schemas', configSchemaSchema),
    configs: new Collection<SealedConfig>(connection, 'configs', configSchema),
    users: new Collection<UserRecord>(connection, 'users', userSchema),
    tokens: new Collection<TokenRecord>(connection, 'tokens', tokenSchema),
    apiKeys: new Collection<ApiKeyRecord>(connection, 'api_keys', apiKeySchema),
    instances: new Collection<InstanceRecord>(connection, 'instances', instanceSchema),
    elections: new Collection<ElectionRecord>(connection, 'elections', electionSchema),
    timers: new Collection<TimerRecord>(connection, 'timers', timerSchema),
    triggerTypes: new Collection<TriggerTypeRecord>(connection, 'trigger_types', triggerTypeSchema),
    triggers: new Collection<TriggerRecord>(connection, 'triggers', triggerSchema),
    triggerInstances: new Collection<TriggerInstanceRecord>(connection, 'trigger_instances', triggerInstanceSchema),
    rules: new Collection<RuleRecord>(connection, 'rules', ruleSchema),
    ruleEnforcements: new Collection<RuleEnforcementRecord>(connection, 'rule_enforcements', ruleEnforcementSchema),
    ruleStates: new Collection<RuleStateRecord>(connection, 'rule_states', ruleStateSchema),
    policies: new Collection<PolicyRecord>(connection, 'policies', policySchema),
    limits: new Collection<LimitRecord>(connection, 'limits', limitSchema),
    revisions: new Collection<RevisionRecord>(connection, 'revisions', revisionSchema),
    traces: new Collection<TraceRecord>(connection, 'traces', traceSchema),
    workflows: new Collection<WorkflowRecord>(connection, 'workflows', workflowSchema),
    workflowJournal: new Collection<WorkflowJournalRecord>(connection, 'workflow_journal', workflowJournalSchema),
    workflowDefinitions: new Collection<WorkflowDefinitionRecord>(
      connection,
      'workflow_definitions',
      workflowDefinitionSchema,
    ),
    keyValues: new Collection<KeyValueRecord>(connection, 'key_values', keyValueSchema),
    sensorTypes: new Collection<SensorTypeRecord>(connection, 'sensor_types', sensorTypeSchema),
    sensorStates: new Collection<SensorStateRecord>(connection, 'sensor_states', sensorStateSchema),
    meta: new Collection<MetaRecord>(connection, 'meta', metaSchema),
  };
}
