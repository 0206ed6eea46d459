import type { DefinitionRecord, ExecutionRecord, OutputRecord } from '@switchyard/model';
import type { BlobPart } from '../repositories/blobs';
import type { Layout } from './layout';

export const executionLayout: Layout<ExecutionRecord> = {
  needed: ['liveaction_id', 'status', 'action_ref', 'runner_name', 'definition'],
  indexes: [
    { fields: { liveaction_id: 1 }, options: { unique: true } },
    { fields: { request_key: 1 }, options: { unique: true, sparse: true } },
    { fields: { start_timestamp: -1, action_ref: 1 } },
    { fields: { action_ref: 1, start_timestamp: -1 } },
    { fields: { status: 1, start_timestamp: -1 } },
    { fields: { 'context.user': 1, start_timestamp: -1 } },
    // Not sparse, because most lists show executions without a parent.
    { fields: { parent: 1, start_timestamp: -1 } },
    { fields: { 'rule.ref': 1 }, options: { sparse: true } },
    { fields: { 'rule.name': 1 }, options: { sparse: true } },
    { fields: { 'trigger.name': 1 }, options: { sparse: true } },
    { fields: { 'trigger_type.name': 1 }, options: { sparse: true } },
    { fields: { workflow_execution: 1 }, options: { sparse: true } },
    // The unfinished workflows of a tree, for canceling it.
    {
      fields: { root: 1, status: 1 },
      options: { partialFilterExpression: { root: { $exists: true }, action_is_workflow: true } },
    },
    { fields: { 'trigger_instance.id': 1 }, options: { sparse: true } },
    // The backlog in order of release, and all executions that a consumer must still handle.
    {
      fields: { due: 1, pool: 1, priority: -1, schedule_at: 1 },
      options: { partialFilterExpression: { due: { $exists: true } } },
    },
    // The same by queue, to find the queues of a priority and their heads without reading the other entries.
    {
      fields: { due: 1, pool: 1, priority: -1, share: 1, schedule_at: 1 },
      options: { partialFilterExpression: { due: { $exists: true } } },
    },
    // Executions with a delay, to find the time of the next one.
    {
      fields: { due: 1, pool: 1, schedule_at: 1 },
      options: { partialFilterExpression: { due: { $exists: true }, delay: { $gt: 0 } } },
    },
    { fields: { due: 1, due_at: 1 }, options: { partialFilterExpression: { due: { $exists: true } } } },
    // Executions that wait for a policy, by group, in order of release.
    {
      fields: { waits_on: 1, pool: 1, priority: -1, schedule_at: 1 },
      options: { partialFilterExpression: { waits_on: { $exists: true } } },
    },
    // Also for claims, because every claimed execution holds a slot.
    { fields: { slot: 1 }, options: { sparse: true } },
    // Processes left behind by a runner that died.
    { fields: { 'process.host': 1 }, options: { sparse: true } },
  ],
};

export const outputLayout: Layout<OutputRecord> = {
  needed: ['execution_id', 'output_type'],
  indexes: [{ fields: { execution_id: 1, sequence: 1 }, options: { unique: true } }, { fields: { timestamp: 1 } }],
};

export const blobLayout: Layout<BlobPart> = {
  needed: ['owner'],
  indexes: [{ fields: { owner: 1, part: 1 } }],
};

export const definitionLayout: Layout<DefinitionRecord> = {
  needed: [],
  indexes: [],
};
