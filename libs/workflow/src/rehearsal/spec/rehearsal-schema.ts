const INDEX = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string', minLength: 1 };
const TEXTS = { type: 'array', items: TEXT };

const MOCK = {
  type: 'object',
  required: ['task_id'],
  properties: {
    task_id: TEXT,
    route: INDEX,
    seq_id: INDEX,
    item_id: INDEX,
    iter_id: INDEX,
    num_iter: { type: 'integer', minimum: 1 },
    status: { enum: ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled', 'pending', 'paused', 'running'] },
    result: {},
    result_path: TEXT,
  },
  additionalProperties: false,
};

const RERUN_TASK = {
  type: 'object',
  required: ['task_id'],
  properties: { task_id: TEXT, route: INDEX, reset_items: { type: 'boolean' } },
  additionalProperties: false,
};

/** Draft 4. */
export const REHEARSAL_SCHEMA = {
  type: 'object',
  required: ['expected_task_sequence'],
  properties: {
    workflow: TEXT,
    workflow_state: { type: 'object' },
    rerun_tasks: { type: 'array', items: RERUN_TASK },
    inputs: { type: 'object' },
    expected_inspection_errors: { type: 'object' },
    expected_task_sequence: TEXTS,
    expected_routes: { type: 'array', items: TEXTS },
    mock_action_executions: { type: 'array', items: MOCK },
    expected_term_tasks: TEXTS,
    expected_workflow_status: TEXT,
    expected_errors: { type: ['array', 'null'], items: { type: 'object' } },
    expected_output: {},
  },
  additionalProperties: false,
} as const;
