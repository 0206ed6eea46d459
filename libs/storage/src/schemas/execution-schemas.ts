import { anything, flag, integer, recordSchema, text, textNeeded, texts } from './mixed';

export const executionSchema = recordSchema({
  liveaction_id: textNeeded,
  status: textNeeded,
  revision: integer,
  action_ref: textNeeded,
  action_is_workflow: flag,
  runner_name: textNeeded,
  definition: textNeeded,
  parameters: anything,
  sealed_parameters: text,
  derived_secrets: texts,
  result: text,
  result_blob: anything,
  result_size: integer,
  sealed_result: text,
  context: anything,
  callback: anything,
  notify: anything,
  runner_info: anything,
  delay: integer,
  parent: text,
  root: text,
  nesting: integer,
  has_children: flag,
  trigger: anything,
  trigger_type: anything,
  trigger_instance: anything,
  rule: anything,
  workflow_execution: text,
  task_execution: text,
  start_timestamp: integer,
  end_timestamp: integer,
  log: anything,
  web_url: text,
  pool: text,
  slot: text,
  priority: integer,
  schedule_at: integer,
  share: text,
  idempotent: flag,
  waits_on: text,
  waiting_for: text,
  limited: flag,
  retries: flag,
  due: texts,
  due_at: integer,
  request_key: text,
  claim: anything,
  process: anything,
});

executionSchema.index({ liveaction_id: 1 }, { unique: true });
executionSchema.index({ request_key: 1 }, { unique: true, sparse: true });
executionSchema.index({ start_timestamp: -1, action_ref: 1 });
executionSchema.index({ action_ref: 1, start_timestamp: -1 });
executionSchema.index({ status: 1, start_timestamp: -1 });
executionSchema.index({ 'context.user': 1, start_timestamp: -1 });
// Not sparse: lists of what has no parent are the most frequent of all.
executionSchema.index({ parent: 1, start_timestamp: -1 });
for (const field of ['rule.ref', 'rule.name', 'trigger.name', 'trigger_type.name', 'workflow_execution'])
  executionSchema.index({ [field]: 1 }, { sparse: true });
// The workflows of a tree that are under way, for whoever cancels it.
executionSchema.index(
  { root: 1, status: 1 },
  { partialFilterExpression: { root: { $exists: true }, action_is_workflow: true } },
);
executionSchema.index({ 'trigger_instance.id': 1 }, { sparse: true });
// The backlog in the order in which it is released, and everything that somebody still has to act on.
executionSchema.index(
  { due: 1, pool: 1, priority: -1, schedule_at: 1 },
  { partialFilterExpression: { due: { $exists: true } } },
);
// The same by queue, so that the queues of one priority and the head of each are found without a look at the others in them.
executionSchema.index(
  { due: 1, pool: 1, priority: -1, share: 1, schedule_at: 1 },
  { partialFilterExpression: { due: { $exists: true } } },
);
executionSchema.index({ due: 1, pool: 1, schedule_at: 1 }, { partialFilterExpression: { due: { $exists: true } } });
executionSchema.index({ due: 1, due_at: 1 }, { partialFilterExpression: { due: { $exists: true } } });
// Those that wait for a policy, by group, in the order in which they are let go on.
executionSchema.index(
  { waits_on: 1, pool: 1, priority: -1, schedule_at: 1 },
  { partialFilterExpression: { waits_on: { $exists: true } } },
);
// Also for claims: whoever has claimed an execution holds a slot.
executionSchema.index({ slot: 1 }, { sparse: true });
// What a runner that is gone has left behind.
executionSchema.index({ 'process.host': 1 }, { sparse: true });

export const outputSchema = recordSchema({
  execution_id: textNeeded,
  sequence: integer,
  output_type: textNeeded,
  data: text,
  timestamp: integer,
  action_ref: text,
  runner_ref: text,
});
outputSchema.index({ execution_id: 1, sequence: 1 }, { unique: true });
outputSchema.index({ timestamp: 1 });

export const blobSchema = recordSchema({ owner: textNeeded, part: integer, data: { type: Buffer } });
blobSchema.index({ owner: 1, part: 1 });

export const definitionSchema = recordSchema({ action: anything, runner: anything });
