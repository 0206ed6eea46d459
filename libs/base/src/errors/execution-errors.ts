import type { CatalogueEntry } from './catalogue';

export const executionErrors = {
  'execution.action-not-found': { status: 400, template: 'Action "{ref}" cannot be found.' },
  'execution.action-disabled': { status: 400, template: 'Unable to execute. Action "{ref}" is disabled.' },
  'execution.runner-disabled': {
    status: 400,
    template: 'Unable to execute. Runner "{name}" has been disabled by the administrator.',
  },
  'execution.parent-not-found': { status: 400, template: 'The parent execution "{id}" does not exist.' },
  'execution.nesting': {
    status: 400,
    template: 'The execution of "{action}" would be nested {nesting} levels deep; limits.max_nesting allows {most}.',
  },
  'execution.tree-size': {
    status: 400,
    template:
      'There would be more than {most} executions below the execution "{root}", which limits.max_tree_size does not allow.',
  },
  'execution.parameters': { status: 400, template: '{text}' },
  'execution.not-found': { status: 404, template: 'Unable to identify resource with id "{id}".' },
  'workflow.unreadable': { status: 400, template: '{text}' },
  'workflow.too-costly': {
    status: 422,
    template: 'The definition is too complex: processing it needs more than {limit}.',
  },
  'workflow.busy': { status: 503, template: 'Too many large definitions are being inspected. Try again.' },
  'execution.none': { status: 400, template: 'No executions found in the database' },
  'execution.attribute': {
    status: 400,
    template: 'Invalid attribute "{name}" specified. Valid attributes are: {valid}',
  },
  'execution.result-limit': {
    status: 400,
    template: 'max_result_size must be a positive number',
  },
  'execution.result-limit-too-large': {
    status: 400,
    template: 'max_result_size query parameter must be smaller than 14 MB',
  },
  'execution.statistics-range': {
    status: 400,
    template: 'The parameter "from" must be earlier than "to", but is {from}, and "to" is {to}.',
  },
  'execution.filter-format': { status: 400, template: 'invalid format for filter "{filter}"' },
  'execution.filter-field': { status: 400, template: 'Cannot resolve field "{field}"' },
  'execution.context-header': {
    status: 400,
    template: "Unable to convert svc-context from the headers into JSON (was <class '{type}'>).",
  },
  'execution.context-member': { status: 400, template: 'The context member "{member}" is not valid: {text}' },
  'execution.parent-for-admins': { status: 403, template: '"context.parent" can only be provided by admins' },
  'execution.other-user': { status: 403, template: '"user" attribute can only be provided by admins' },
  'execution.request-key': {
    status: 400,
    template: 'The header Idempotency-Key is not valid: expected 1 to {maximum} printable characters.',
  },
  'execution.request-key-taken': {
    status: 409,
    template: 'The Idempotency-Key was used for an execution of "{ref}" before.',
  },
  'execution.completed': { status: 400, template: 'Execution is already in completed state.' },
  'execution.illegal-move': {
    status: 400,
    template: 'Failed updating execution. An execution in status "{from}" cannot become "{to}".',
  },
  'execution.no-workflow': {
    status: 404,
    template: 'Execution "{id}" is not a workflow that has started, so it has no graph.',
  },
  'execution.no-task-run': {
    status: 404,
    template: 'Execution "{id}" has no run of a task with the name or id "{task}".',
  },
  'execution.not-running': {
    status: 400,
    template:
      'Failed updating execution. Unable to pause liveaction "{liveaction}" because it is not in a running state.',
  },
  'execution.not-paused': {
    status: 400,
    template:
      'Failed updating execution. Unable to resume liveaction "{liveaction}" because it is in "{status}" state and not in "paused" state.',
  },
  'execution.no-pause': {
    status: 400,
    template:
      'Failed updating execution. Unable to {verb} liveaction "{liveaction}" because it is not supported by the "{runner}" runner.',
  },
  'execution.changed-meanwhile': {
    status: 409,
    template: 'The execution "{id}" was changed concurrently. Read it again and retry.',
  },
  'execution.rerun-with-parameters': {
    status: 400,
    template: 'Parameters override is not supported when re-running task(s) for a workflow.',
  },
  'execution.rerun-reset': { status: 400, template: 'List of tasks to reset does not match the tasks to rerun.' },
  'execution.rerun-unknown-tasks': {
    status: 400,
    template: 'Unable to rerun workflow because one or more tasks is not found: {tasks}',
  },
  'execution.rerun-active': {
    status: 400,
    template: 'Unable to rerun workflow execution "{workflow}" because it is not in a completed state.',
  },
  'execution.rerun-tasks': { status: 400, template: 'Task option is only supported for Orquesta workflows.' },
  'trace.not-found': { status: 400, template: 'Unable to find the TraceDB instance. {query}' },
  'inquiry.answered-elsewhere': {
    status: 403,
    template:
      'Execution "{id}" is an inquiry: only administrators may end it here. Answer it with PUT /inquiries/{id}.',
  },
  'inquiry.none': { status: 400, template: 'Action execution "{id}" is not an inquiry.' },
  'inquiry.timed-out': { status: 400, template: 'Inquiry "{id}" timed out and cannot be responded to.' },
  'inquiry.answered': { status: 400, template: 'Inquiry "{id}" has already been responded to.' },
  'inquiry.over': { status: 400, template: 'Inquiry "{id}" is {status} and cannot be responded to.' },
  'inquiry.not-asked-yet': { status: 409, template: 'Inquiry "{id}" has not been asked yet. Try again.' },
  'inquiry.forbidden': {
    status: 403,
    template: 'User "{user}" does not have permission to respond to inquiry "{id}".',
  },
  'inquiry.response': {
    status: 400,
    template: 'Response for inquiry "{id}" did not pass schema validation. {cause}',
  },
  'policy.type-unknown': { status: 400, template: 'Referenced policy_type "{ref}" doesnt exist' },
  'policy.reference': { status: 400, template: 'Invalid reference: {ref}' },
  'policy.type-not-found': { status: 404, template: 'PolicyType with a reference of id "{id}" not found.' },
  'policy.taken': {
    status: 409,
    template: 'The action "{resource}" already has a policy of the type "{type}": "{ref}"',
  },
} as const satisfies Record<string, CatalogueEntry>;
