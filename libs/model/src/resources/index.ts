/**
 * One schema for each resource: the stored record and, where it differs, the API's view of it. A separate entry point, because
 * TypeBox is slow to load and programs that need only the types of records should not wait for it.
 */
export {
  actionAnswer,
  actionRecordSchema,
  definitionRecordSchema,
  runnerTypeAnswer,
  runnerTypeRecordSchema,
} from './action';
export { actionAliasAnswer, actionAliasRecordSchema, aliasMatchAnswer, startedAliasAnswer } from './action-alias';
export { auditAnswer, auditCheckAnswer, auditKinds, auditOutcomes, auditRecordSchema } from './audit';
export { configAnswer, configRecordSchema, configSchemaAnswer, configSchemaRecordSchema } from './config';
export { electionRecordSchema } from './election';
export {
  executionAnswer,
  executionRecordSchema,
  inquiryAnswer,
  liveactionAnswer,
  outputRecordSchema,
} from './execution';
export { executionStatisticsAnswer } from './execution-statistics';
export {
  apiKeyAnswer,
  apiKeyRecordSchema,
  currentUserAnswer,
  heldPermissionAnswer,
  listedTokenAnswer,
  unattendedTokenBody,
  newApiKeyAnswer,
  tokenAnswer,
  tokenRecordSchema,
  userRecordSchema,
} from './identity';
export { instanceRecordSchema } from './instance';
export { keyRotationAnswer, keyRotationBody, keyRotationRecordSchema } from './key-rotation';
export { keyValueAnswer, keyValueRecordSchema } from './key-value';
export { indexedPackAnswer, indexStatusAnswer, packAnswer, packRecordSchema } from './pack';
export { limitRecordSchema, policyAnswer, policyRecordSchema, policyTypeAnswer } from './policy';
export { purgeAnswer, purgeBody, removalRecordSchema } from './removal';
export { revisionRecordSchema } from './revision';
export {
  groupMappingRecordSchema,
  permissionGrantAnswer,
  roleAnswer,
  roleAssignmentAnswer,
  roleAssignmentRecordSchema,
  roleChangesAnswer,
  roleRecordSchema,
} from './role';
export {
  backtestAnswer,
  ruleAnswer,
  ruleEnforcementAnswer,
  ruleEnforcementRecordSchema,
  ruleRecordSchema,
} from './rule';
export { ruleStateRecordSchema } from './rule-state';
export { registryGroupsAnswer, registryMembersAnswer } from './service-registry';
export {
  sensorLogAnswer,
  sensorLogRecordSchema,
  sensorStateRecordSchema,
  sensorTypeAnswer,
  sensorTypeRecordSchema,
} from './sensor';
export { systemStatusAnswer } from './system-status';
export { storedSchemas } from './stored';
export { timerRecordSchema, timerTimesAnswer, upcomingTimesAnswer } from './timer';
export { traceAnswer, traceRecordSchema } from './trace';
export { triggerAnswer, triggerRecordSchema, triggerTypeAnswer, triggerTypeRecordSchema } from './trigger';
export { triggerInstanceAnswer, triggerInstanceRecordSchema } from './trigger-instance';
export { loginFailureRecordSchema } from './login-failure';
export { loginGrantRecordSchema, singleSignOnAnswer, terminalProofSchema } from './login-grant';
export { webhookDeliveryRecordSchema } from './webhook-delivery';
export { workflowDefinitionRecordSchema, workflowJournalRecordSchema, workflowRecordSchema } from './workflow';
export { actionAliasBody, actionBody, apiKeyBody, policyBody, ruleBody, triggerBody, triggerTypeBody } from './bodies';
export { anyObject, attributeNames, isoTime, schemaByName, sortKeys, textOrNull } from './fields';
