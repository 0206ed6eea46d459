import type {
  KeyValueRecord,
  RuleEnforcementRecord,
  RuleRecord,
  RuleStateRecord,
  SensorLogRecord,
  SensorStateRecord,
  SensorTypeRecord,
  TraceRecord,
  TriggerInstanceRecord,
  TriggerRecord,
  TriggerTypeRecord,
  WebhookDeliveryRecord,
  ElectionRecord,
  TimerRecord,
} from '@switchyard/model';
import type { Layout } from './layout';

export const triggerTypeLayout: Layout<TriggerTypeRecord> = {
  needed: ['ref', 'uid', 'name', 'pack'],
  indexes: [{ fields: { ref: 1 }, options: { unique: true } }, { fields: { pack: 1, name: 1 } }],
};

export const triggerLayout: Layout<TriggerRecord> = {
  needed: ['ref', 'uid', 'name', 'pack', 'type', 'parameters_hash'],
  indexes: [
    { fields: { ref: 1 }, options: { unique: true } },
    { fields: { uid: 1 } },
    { fields: { type: 1, parameters_hash: 1 }, options: { unique: true } },
    // The triggers of webhooks.
    { fields: { 'parameters.url': 1 }, options: { sparse: true } },
  ],
};

export const triggerInstanceLayout: Layout<TriggerInstanceRecord> = {
  needed: ['trigger', 'status'],
  indexes: [
    { fields: { request_key: 1 }, options: { unique: true, sparse: true } },
    { fields: { occurrence_time: -1, trigger: 1 } },
    { fields: { trigger: 1, occurrence_time: -1 } },
    { fields: { status: 1, occurrence_time: -1 } },
    { fields: { due: 1, due_at: 1 }, options: { partialFilterExpression: { due: { $exists: true } } } },
  ],
};

export const ruleLayout: Layout<RuleRecord> = {
  needed: ['ref', 'uid', 'name', 'pack', 'trigger'],
  indexes: [
    { fields: { ref: 1 }, options: { unique: true } },
    { fields: { pack: 1, name: 1 }, options: { unique: true } },
    { fields: { trigger: 1 } },
    { fields: { 'action.ref': 1 } },
  ],
};

export const ruleEnforcementLayout: Layout<RuleEnforcementRecord> = {
  needed: ['trigger_instance_id', 'status', 'request_key'],
  indexes: [
    { fields: { request_key: 1 }, options: { unique: true } },
    { fields: { enforced_at: -1 } },
    { fields: { trigger_instance_id: 1 } },
    { fields: { execution_id: 1 }, options: { sparse: true } },
    { fields: { 'rule.ref': 1, enforced_at: -1 } },
  ],
};

export const webhookDeliveryLayout: Layout<WebhookDeliveryRecord> = {
  needed: ['delivery'],
  indexes: [{ fields: { expires: 1 }, options: { expireAfterSeconds: 0 } }],
};

/** The state that rules engines keep for rules with a correlation. */
export const ruleStateLayout: Layout<RuleStateRecord> = {
  needed: ['rule'],
  indexes: [
    { fields: { due: 1 }, options: { sparse: true } },
    { fields: { expires: 1 }, options: { expireAfterSeconds: 0 } },
  ],
};

export const traceLayout: Layout<TraceRecord> = {
  needed: ['trace_tag'],
  indexes: [
    { fields: { trace_tag: 1 } },
    { fields: { start_timestamp: -1 } },
    { fields: { 'trigger_instances.object_id': 1 } },
    { fields: { 'rules.object_id': 1 } },
    { fields: { 'action_executions.object_id': 1 } },
  ],
};

export const keyValueLayout: Layout<KeyValueRecord> = {
  needed: ['uid', 'scope', 'name', 'value'],
  indexes: [
    { fields: { scope: 1, name: 1 }, options: { unique: true } },
    // The order of lists.
    { fields: { scope: 1, _id: 1 } },
    { fields: { expire_timestamp: 1 }, options: { expireAfterSeconds: 0 } },
  ],
};

export const sensorTypeLayout: Layout<SensorTypeRecord> = {
  needed: ['ref', 'uid', 'name', 'pack', 'class_name'],
  indexes: [{ fields: { ref: 1 }, options: { unique: true } }, { fields: { pack: 1, name: 1 } }],
};

export const sensorStateLayout: Layout<SensorStateRecord> = {
  needed: ['state'],
  indexes: [],
};

export const sensorLogLayout: Layout<SensorLogRecord> = {
  needed: ['sensor', 'lines'],
  indexes: [{ fields: { sensor: 1, at: 1 } }],
};

export const timerLayout: Layout<TimerRecord> = {
  needed: ['trigger', 'fingerprint'],
  indexes: [{ fields: { due_at: 1 } }],
};

export const electionLayout: Layout<ElectionRecord> = {
  needed: [],
  indexes: [],
};
