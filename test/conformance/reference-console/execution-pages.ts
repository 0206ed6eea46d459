import type { ConsolePage } from './console-call';

const LISTED_ATTRIBUTES = [
  ...['id', 'status', 'start_timestamp', 'action.ref', 'action.name', 'action.runner_type', 'action.parameters'],
  ...['parameters', 'rule.ref', 'trigger.type', 'context.user'],
].join(',');

const LISTED = [
  ...['*.id', '*.status', '*.start_timestamp', '*.action.ref', '*.action.name', '*.action.runner_type'],
  ...['*.action.parameters', '*.context.user'],
];

const DETAIL = [
  ...['id', 'status', 'start_timestamp', 'parameters', 'context.user'],
  ...['action.ref', 'action.description', 'action.parameters', 'runner.name', 'runner.runner_parameters'],
];

const PAGE = { limit: '50', offset: '0' };

/** The pages of actions, of the history and of inquiries. */
export const executionPages: readonly ConsolePage[] = [
  {
    title: 'Actions',
    calls: [
      {
        path: '/actions',
        query: { include_attributes: 'ref,pack,name,description,runner_type' },
        reads: ['*.ref', '*.pack', '*.name', '*.description', '*.runner_type'],
      },
      {
        path: '/actions/views/overview/core.local',
        reads: ['id', 'ref', 'name', 'pack', 'description', 'parameters.cmd', 'parameters.sudo', 'runner_type'],
      },
      {
        path: '/executions',
        query: { action: 'core.local', limit: '5', exclude_attributes: 'trigger_instance', parent: 'null' },
      },
      { path: '/actions/views/entry_point/examples.orquesta-basic', keeps: { definition: '' } },
      {
        method: 'POST',
        path: '/executions',
        body: () => ({
          action: 'core.local',
          parameters: { cmd: 'echo first; echo second' },
          context: { trace_context: { trace_tag: 'from-the-console' } },
        }),
        status: 201,
        reads: ['id', 'action.ref'],
        keeps: { execution: 'id' },
      },
      {
        method: 'POST',
        path: '/executions',
        // The field for the tag was left empty.
        body: () => ({ action: 'core.noop', parameters: {}, context: { trace_context: { trace_tag: '' } } }),
        status: 201,
        reads: ['id'],
      },
      {
        method: 'POST',
        path: '/actions/examples.orquesta-basic/clone',
        body: () => ({ dest_pack: 'default', dest_action: 'copied', overwrite: false }),
        status: 201,
      },
      {
        method: 'POST',
        path: '/actions/examples.orquesta-basic/clone',
        body: () => ({ dest_pack: 'default', dest_action: 'copied', overwrite: false }),
        status: 400,
        reads: ['faultstring'],
      },
      {
        method: 'DELETE',
        path: '/actions/default.copied',
        body: () => ({ remove_files: true }),
        status: 204,
      },
    ],
  },
  {
    title: 'History',
    calls: [
      {
        path: '/executions/{execution}',
        query: { max_result_size: '102400' },
        until: { status: 'succeeded' },
        reads: [...DETAIL, 'end_timestamp', 'result', 'result_size', 'context.trace_context.trace_tag'],
      },
      {
        path: '/executions',
        query: { parent: 'null', ...PAGE, include_attributes: LISTED_ATTRIBUTES },
        headers: ['x-total-count', 'x-limit'],
        reads: LISTED,
      },
      { path: '/executions/views/filters', reads: ['status.*', 'action.*', 'user.*', 'runner.*'] },
      {
        path: '/executions',
        query: {
          ...{ status: 'succeeded', action: 'core.local', user: 'testu', runner: 'local-shell-cmd' },
          ...{ parent: 'null', ...PAGE, include_attributes: LISTED_ATTRIBUTES },
        },
        reads: [...LISTED, '*.parameters'],
      },
      {
        path: '/executions',
        query: {
          ...{ parent: 'null', ...PAGE, include_attributes: LISTED_ATTRIBUTES },
          filter: 'context.user:testu action.ref:core.local',
        },
        reads: [...LISTED, '*.parameters'],
      },
      { path: '/executions/{execution}', query: { include_attributes: 'result' }, reads: ['result.stdout'] },
      { path: '/executions/{execution}/output' },
      {
        method: 'POST',
        path: '/executions/{execution}/re_run',
        query: { no_merge: 'true' },
        body: () => ({ parameters: { cmd: 'sleep 60' } }),
        status: 201,
        reads: ['id', 'action.ref'],
        keeps: { rerun: 'id' },
      },
      { method: 'DELETE', path: '/executions/{rerun}', reads: ['action.ref'] },
    ],
  },
  {
    title: 'Inquiries',
    calls: [
      {
        method: 'POST',
        path: '/executions',
        body: () => ({ action: 'examples.orquesta-ask-basic', action_is_workflow: true, parameters: {} }),
        status: 201,
        reads: ['id', 'web_url', 'liveaction.action'],
        keeps: { workflow: 'id' },
      },
      {
        path: '/executions',
        query: { id: '{workflow}' },
        until: { '*.status': 'paused' },
        reads: ['*.web_url', '*.liveaction.action'],
      },
      {
        path: '/executions',
        query: { parent: '{workflow}', exclude_attributes: 'result,trigger_instance' },
        reads: [
          ...['*.id', '*.status', '*.start_timestamp', '*.action.ref', '*.parameters', '*.context.user'],
          '*.context.orquesta.task_name',
        ],
      },
      {
        path: '/executions',
        query: { runner: 'inquirer', ...PAGE },
        headers: ['x-total-count', 'x-limit'],
        reads: ['*.id', '*.status', '*.result.schema'],
        keeps: { inquiry: '*.id' },
      },
      {
        path: '/executions/{inquiry}',
        until: { status: 'pending' },
        reads: ['result.schema.properties', 'context.parent.execution_id'],
        keeps: { asked: 'result' },
      },
      {
        method: 'PUT',
        path: '/inquiries/{inquiry}',
        // It sends everything that it shows, besides the response.
        body: ({ asked, inquiry: id, workflow: initial }) => ({
          ...(asked as object),
          ...{ id, initial, status: 'pending', response: { approved: true } },
        }),
      },
      {
        path: '/executions',
        query: { id: '{workflow}' },
        until: { '*.status': 'succeeded' },
        reads: ['*.elapsed_seconds', '*.web_url'],
      },
    ],
  },
];
