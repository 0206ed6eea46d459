import * as resources from '@switchyard/model/resources';

const { sortKeys } = resources;
const content = { id: '_id', ref: 'ref', name: 'name', pack: 'pack' };

/** What clients sort by, and the stored fields. */
const SORT_KEYS = {
  runnerTypeRecordSchema: { id: '_id', name: 'name' },
  actionAliasRecordSchema: { ...content, action_ref: 'action_ref' },
  configRecordSchema: { id: '_id', pack: 'pack' },
  configSchemaRecordSchema: { id: '_id', pack: 'pack' },
  executionRecordSchema: {
    id: '_id',
    action: 'action_ref',
    status: 'status',
    parent: 'parent',
    runner: 'runner_name',
    user: 'context.user',
    liveaction: 'liveaction_id',
    trigger_instance: 'trigger_instance.id',
    timestamp: 'start_timestamp',
    start_timestamp: 'start_timestamp',
    rule: 'rule.name',
    trigger: 'trigger.name',
    trigger_type: 'trigger_type.name',
  },
  keyValueRecordSchema: { id: '_id', name: 'name', scope: 'scope' },
  packRecordSchema: { id: '_id', ref: 'ref', name: 'name' },
  policyRecordSchema: { ...content, resource_ref: 'resource_ref', policy_type: 'policy_type' },
  policyTypeAnswer: { id: 'id', ref: 'ref', name: 'name', resource_type: 'resource_type' },
  ruleRecordSchema: {
    ...content,
    action: 'action.ref',
    trigger: 'trigger',
    enabled: 'enabled',
    user: 'context.user',
  },
  ruleEnforcementRecordSchema: {
    id: '_id',
    name: '_id',
    rule_ref: 'rule.ref',
    rule_id: 'rule.id',
    execution: 'execution_id',
    trigger_instance: 'trigger_instance_id',
    status: 'status',
    enforced_at: 'enforced_at',
  },
  sensorTypeRecordSchema: content,
  traceRecordSchema: { id: '_id', trace_tag: 'trace_tag', start_timestamp: 'start_timestamp' },
  triggerRecordSchema: { ...content, type: 'type' },
  triggerTypeRecordSchema: content,
  triggerInstanceRecordSchema: {
    id: '_id',
    trigger: 'trigger',
    status: 'status',
    timestamp: 'occurrence_time',
    occurrence_time: 'occurrence_time',
  },
} as const;

it.each(Object.entries(SORT_KEYS))('lists are sorted by the marked fields of %s', (name, keys) => {
  expect(sortKeys(resources[name as keyof typeof SORT_KEYS])).toEqual(keys);
});

it('the marks are not in the JSON of a schema', () => {
  expect(JSON.stringify(resources.traceRecordSchema.properties.trace_tag)).toBe('{"type":"string"}');
});
