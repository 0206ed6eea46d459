import { anything, date, flag, integer, packContent, recordSchema, text, textNeeded, texts } from './mixed';

export const triggerTypeSchema = recordSchema({
  ...packContent,
  payload_schema: anything,
  parameters_schema: anything,
  tags: anything,
});
triggerTypeSchema.index({ ref: 1 }, { unique: true });
triggerTypeSchema.index({ pack: 1, name: 1 });

export const triggerSchema = recordSchema({
  ref: textNeeded,
  uid: textNeeded,
  name: textNeeded,
  pack: textNeeded,
  type: textNeeded,
  parameters: anything,
  parameters_hash: textNeeded,
  description: text,
});
triggerSchema.index({ ref: 1 }, { unique: true });
triggerSchema.index({ uid: 1 });
triggerSchema.index({ type: 1, parameters_hash: 1 }, { unique: true });

export const triggerInstanceSchema = recordSchema({
  trigger: textNeeded,
  payload: anything,
  occurrence_time: integer,
  status: textNeeded,
  trace_context: anything,
  request_key: text,
  outcome: anything,
  due: texts,
  due_at: integer,
});
triggerInstanceSchema.index({ request_key: 1 }, { unique: true, sparse: true });
triggerInstanceSchema.index({ occurrence_time: -1, trigger: 1 });
triggerInstanceSchema.index({ trigger: 1, occurrence_time: -1 });
triggerInstanceSchema.index({ status: 1, occurrence_time: -1 });
triggerInstanceSchema.index({ due: 1, due_at: 1 }, { partialFilterExpression: { due: { $exists: true } } });

export const ruleSchema = recordSchema({
  ...packContent,
  enabled: flag,
  type: anything,
  trigger: textNeeded,
  criteria: anything,
  action: anything,
  context: anything,
  tags: anything,
  correlation: anything,
});
ruleSchema.index({ ref: 1 }, { unique: true });
ruleSchema.index({ pack: 1, name: 1 }, { unique: true });
ruleSchema.index({ trigger: 1 });
ruleSchema.index({ 'action.ref': 1 });

export const ruleEnforcementSchema = recordSchema({
  trigger_instance_id: textNeeded,
  execution_id: text,
  failure_reason: text,
  rule: anything,
  enforced_at: integer,
  status: textNeeded,
  request_key: textNeeded,
});
ruleEnforcementSchema.index({ request_key: 1 }, { unique: true });
ruleEnforcementSchema.index({ enforced_at: -1 });
ruleEnforcementSchema.index({ trigger_instance_id: 1 });
ruleEnforcementSchema.index({ execution_id: 1 }, { sparse: true });
ruleEnforcementSchema.index({ 'rule.ref': 1, enforced_at: -1 });

/** What the rules engines remember of matches that a rule puts together. */
export const ruleStateSchema = recordSchema({
  rule: textNeeded,
  group: text,
  revision: integer,
  entries: anything,
  batches: anything,
  pending: anything,
  floor: integer,
  due: integer,
  expires: date,
});
ruleStateSchema.index({ due: 1 }, { sparse: true });
ruleStateSchema.index({ expires: 1 }, { expireAfterSeconds: 0 });

export const traceSchema = recordSchema({
  trace_tag: textNeeded,
  start_timestamp: integer,
  trigger_instances: anything,
  rules: anything,
  action_executions: anything,
});
traceSchema.index({ trace_tag: 1 });
traceSchema.index({ start_timestamp: -1 });
for (const kind of ['trigger_instances', 'rules', 'action_executions']) traceSchema.index({ [`${kind}.object_id`]: 1 });

export const keyValueSchema = recordSchema({
  uid: textNeeded,
  scope: textNeeded,
  name: textNeeded,
  value: textNeeded,
  secret: flag,
  revision: integer,
  description: text,
  expire_timestamp: date,
});
keyValueSchema.index({ scope: 1, name: 1 }, { unique: true });
keyValueSchema.index({ expire_timestamp: 1 }, { expireAfterSeconds: 0 });

export const sensorTypeSchema = recordSchema({
  ...packContent,
  enabled: flag,
  artifact_uri: text,
  entry_point: text,
  class_name: textNeeded,
  trigger_types: texts,
  poll_interval: integer,
  content_hash: text,
  source_hash: text,
});
sensorTypeSchema.index({ ref: 1 }, { unique: true });
sensorTypeSchema.index({ pack: 1, name: 1 });

export const sensorStateSchema = recordSchema({
  state: textNeeded,
  owner: anything,
  process: anything,
  restarts: integer,
  started_at: integer,
  last_exit: anything,
  next_start_at: integer,
  reason: text,
});
