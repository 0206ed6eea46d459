import type { Connection } from 'mongoose';
import { Collection, type CheckWrite } from './collection';
import {
  actionAliasLayout,
  configLayout,
  configSchemaLayout,
  actionLayout,
  packLayout,
  runnerTypeLayout,
} from './layouts/content-layouts';
import type { Layout } from './layouts/layout';
import { blobLayout, definitionLayout, executionLayout, outputLayout } from './layouts/execution-layouts';
import {
  keyValueLayout,
  ruleEnforcementLayout,
  ruleLayout,
  ruleStateLayout,
  sensorLogLayout,
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
  groupMappingLayout,
  roleAssignmentLayout,
  roleLayout,
} from './layouts/identity-layouts';
import {
  auditLayout,
  instanceLayout,
  keyRotationLayout,
  metaLayout,
  removalLayout,
  revisionLayout,
} from './layouts/operation-layouts';
import { limitLayout, policyLayout } from './layouts/policy-layouts';
import { workflowDefinitionLayout, workflowJournalLayout, workflowLayout } from './layouts/workflow-layouts';

/**
 * The collections of a store, with the indexes declared in their layouts. Does no I/O.
 * @param checkWrite is called for every write; for tests
 */
export function storeCollections(connection: Connection, checkWrite?: CheckWrite) {
  const of = <T extends { _id: string }>(name: string, layout: Layout<T>): Collection<T> =>
    new Collection(connection, name, layout, checkWrite);
  return {
    executions: of('executions', executionLayout),
    output: of('execution_output', outputLayout),
    blobs: of('blobs', blobLayout),
    definitions: of('definitions', definitionLayout),
    actions: of('actions', actionLayout),
    actionAliases: of('action_aliases', actionAliasLayout),
    runnerTypes: of('runner_types', runnerTypeLayout),
    packs: of('packs', packLayout),
    configSchemas: of('config_schemas', configSchemaLayout),
    configs: of('configs', configLayout),
    users: of('users', userLayout),
    tokens: of('tokens', tokenLayout),
    apiKeys: of('api_keys', apiKeyLayout),
    roles: of('roles', roleLayout),
    roleAssignments: of('role_assignments', roleAssignmentLayout),
    groupMappings: of('group_mappings', groupMappingLayout),
    audit: of('audit', auditLayout),
    instances: of('instances', instanceLayout),
    elections: of('elections', electionLayout),
    timers: of('timers', timerLayout),
    triggerTypes: of('trigger_types', triggerTypeLayout),
    triggers: of('triggers', triggerLayout),
    triggerInstances: of('trigger_instances', triggerInstanceLayout),
    rules: of('rules', ruleLayout),
    ruleEnforcements: of('rule_enforcements', ruleEnforcementLayout),
    ruleStates: of('rule_states', ruleStateLayout),
    loginFailures: of('login_failures', loginFailureLayout),
    loginGrants: of('login_grants', loginGrantLayout),
    policies: of('policies', policyLayout),
    limits: of('limits', limitLayout),
    webhookDeliveries: of('webhook_deliveries', webhookDeliveryLayout),
    removals: of('removals', removalLayout),
    revisions: of('revisions', revisionLayout),
    traces: of('traces', traceLayout),
    workflows: of('workflows', workflowLayout),
    workflowJournal: of('workflow_journal', workflowJournalLayout),
    workflowDefinitions: of('workflow_definitions', workflowDefinitionLayout),
    keyRotations: of('key_rotations', keyRotationLayout),
    keyValues: of('key_values', keyValueLayout),
    sensorTypes: of('sensor_types', sensorTypeLayout),
    sensorStates: of('sensor_states', sensorStateLayout),
    sensorLogs: of('sensor_logs', sensorLogLayout),
    meta: of('meta', metaLayout),
  };
}

export type StoreCollections = ReturnType<typeof storeCollections>;
