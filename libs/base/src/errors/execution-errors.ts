import type { ErrorEntry } from './catalogue';

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
    template: 'The execution of "{action}" would be nested {nesting} deep; limits.max_nesting allows {most}.',
  },
  'execution.parameters': { status: 400, template: '{text}' },
  'execution.not-found': { status: 404, template: 'Unable to identify resource with id "{id}".' },
  'workflow.unreadable': { status: 400, template: '{text}' },
  'workflow.too-costly': { status: 422, template: 'The definition cannot be inspected: that takes more than {limit}.' },
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
  'execution.filter-format': { status: 400, template: 'invalid format for filter "{filter}"' },
  'execution.filter-field': { status: 400, template: 'Cannot resolve field "{field}"' },
  'execution.context-header': {
    status: 400,
    template: "Unable to convert svc-context from the headers into JSON (was <class '{type}'>).",
  },
  'execution.context-member': { status: 400, template: 'The context member "{member}" is not valid: {text}' },
  'execution.other-user': { status: 403, template: '"user" attribute can only be provided by admins' },
  'execution.request-key': {
    status: 400,
    template: 'The header Idempotency-Key is not valid: 1 to {maximum} printable characters are expected.',
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
    template: 'Execution "{id}" is no workflow that has begun; there is no graph of it.',
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
    template: 'The execution "{id}" was changed by somebody else at the same time. Read it and try again.',
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
  'trace.not-found': { status: 400, template: 'Unable to find Trace with id="{id}"' },
} as const satisfies Record<string, ErrorEntry>;
