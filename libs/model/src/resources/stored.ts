import { Type } from '@sinclair/typebox';
import { actionRecordSchema, definitionRecordSchema, runnerTypeRecordSchema } from './action';
import { actionAliasRecordSchema } from './action-alias';
import { auditRecordSchema } from './audit';
import { configRecordSchema, configSchemaRecordSchema } from './config';
import { electionRecordSchema } from './election';
import { executionRecordSchema, outputRecordSchema } from './execution';
import { anyObject, text } from './fields';
import { apiKeyRecordSchema, tokenRecordSchema, userRecordSchema } from './identity';
import { instanceRecordSchema } from './instance';
import { keyRotationRecordSchema } from './key-rotation';
import { keyValueRecordSchema } from './key-value';
import { loginFailureRecordSchema } from './login-failure';
import { loginGrantRecordSchema } from './login-grant';
import { packRecordSchema } from './pack';
import { limitRecordSchema, policyRecordSchema } from './policy';
import { removalRecordSchema } from './removal';
import { revisionRecordSchema } from './revision';
import { groupMappingRecordSchema, roleAssignmentRecordSchema, roleRecordSchema } from './role';
import { ruleEnforcementRecordSchema, ruleRecordSchema } from './rule';
import { ruleStateRecordSchema } from './rule-state';
import { sensorLogRecordSchema, sensorStateRecordSchema, sensorTypeRecordSchema } from './sensor';
import { timerRecordSchema } from './timer';
import { traceRecordSchema } from './trace';
import { triggerRecordSchema, triggerTypeRecordSchema } from './trigger';
import { triggerInstanceRecordSchema } from './trigger-instance';
import { webhookDeliveryRecordSchema } from './webhook-delivery';
import { workflowDefinitionRecordSchema, workflowJournalRecordSchema, workflowRecordSchema } from './workflow';

/** Parameters as stored: encrypted to a text, unless there are none. */
const sealable = Type.Union([anyObject, text]);

const { problem: _ofAlias, ...alias } = actionAliasRecordSchema.properties;
const { problem: _ofRule, ...rule } = ruleRecordSchema.properties;
const { problem: _ofConfig, values, ...config } = configRecordSchema.properties;

/** The records of each collection of the store. */
export const storedSchemas = {
  executions: executionRecordSchema,
  execution_output: outputRecordSchema,
  definitions: definitionRecordSchema,
  actions: actionRecordSchema,
  action_aliases: Type.Object({ ...alias, immutable_parameters: sealable }),
  runner_types: runnerTypeRecordSchema,
  packs: packRecordSchema,
  config_schemas: configSchemaRecordSchema,
  configs: Type.Object({ ...config, sealed: Type.Optional(text), values: Type.Optional(values) }),
  users: userRecordSchema,
  tokens: tokenRecordSchema,
  api_keys: apiKeyRecordSchema,
  login_failures: loginFailureRecordSchema,
  login_grants: loginGrantRecordSchema,
  roles: roleRecordSchema,
  role_assignments: roleAssignmentRecordSchema,
  group_mappings: groupMappingRecordSchema,
  audit: auditRecordSchema,
  instances: instanceRecordSchema,
  elections: electionRecordSchema,
  timers: timerRecordSchema,
  trigger_types: triggerTypeRecordSchema,
  triggers: triggerRecordSchema,
  trigger_instances: triggerInstanceRecordSchema,
  rules: Type.Object({ ...rule, action: Type.Object({ ...rule.action.properties, parameters: sealable }) }),
  rule_enforcements: ruleEnforcementRecordSchema,
  rule_states: ruleStateRecordSchema,
  webhook_deliveries: webhookDeliveryRecordSchema,
  policies: policyRecordSchema,
  limits: limitRecordSchema,
  removals: removalRecordSchema,
  revisions: revisionRecordSchema,
  traces: traceRecordSchema,
  workflows: workflowRecordSchema,
  workflow_journal: workflowJournalRecordSchema,
  workflow_definitions: workflowDefinitionRecordSchema,
  key_rotations: keyRotationRecordSchema,
  key_values: keyValueRecordSchema,
  sensor_types: sensorTypeRecordSchema,
  sensor_states: sensorStateRecordSchema,
  sensor_logs: sensorLogRecordSchema,
};
