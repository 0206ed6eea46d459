/** The attributes that a live action may have. */
export const LIVEACTION_ATTRIBUTES: readonly string[] = [
  'id',
  'action',
  'action_is_workflow',
  'status',
  'start_timestamp',
  'end_timestamp',
  'parameters',
  'result',
  'context',
  'callback',
  'runner_info',
  'notify',
  'delay',
  'workflow_execution',
  'task_execution',
];
