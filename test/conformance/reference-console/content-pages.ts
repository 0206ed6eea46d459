import type { ConsolePage } from './console-call';

const RULE = {
  name: 'watched',
  pack: 'default',
  description: 'Made in the console',
  enabled: true,
  trigger: { type: 'core.st2.webhook', parameters: { url: 'watched' } },
  criteria: { 'trigger.body.wanted': { type: 'equals', pattern: true } },
  action: { ref: 'core.echo', parameters: { message: 'seen' } },
};

const RULE_VIEW = [
  ...['id', 'ref', 'pack', 'name', 'description', 'enabled', 'criteria'],
  ...['trigger.type', 'trigger.description', 'trigger.parameters'],
  ...['action.ref', 'action.description', 'action.parameters'],
];

/** The pages of rules, triggers, packs and workflows. */
export const contentPages: readonly ConsolePage[] = [
  {
    title: 'Rules',
    calls: [
      {
        path: '/packs',
        query: { include_attributes: 'name,description' },
        reads: ['*.name', '*.description'],
      },
      {
        path: '/triggertypes',
        reads: ['*.ref', '*.name', '*.pack', '*.description', '*.payload_schema', '*.parameters_schema'],
      },
      {
        path: '/actions/views/overview',
        query: { include_attributes: 'ref,description,parameters' },
        reads: ['*.ref', '*.description', '*.parameters'],
      },
      { method: 'POST', path: '/rules', body: () => RULE, status: 201, reads: ['ref'] },
      { path: '/rules/views', reads: RULE_VIEW.map((path) => `*.${path}`) },
      {
        path: '/rules/views/default.watched',
        reads: [...RULE_VIEW, 'trigger.parameters.url'],
        keeps: { rule: '', ruleId: 'id' },
      },
      {
        method: 'PUT',
        path: '/rules/{ruleId}',
        // It sends the view, in which the trigger and the action have descriptions.
        body: ({ rule }) => ({ ...(rule as object), description: 'Changed in the console' }),
        reads: ['ref'],
      },
      {
        method: 'PUT',
        path: '/rules/{ruleId}',
        body: ({ rule }) => ({ ...(rule as object), enabled: false }),
        reads: ['enabled'],
      },
      {
        method: 'PUT',
        path: '/rules/{ruleId}',
        body: ({ rule }) => ({ ...(rule as object), enabled: true }),
        reads: ['enabled'],
      },
    ],
  },
  {
    title: 'Triggers',
    calls: [
      // Sent by whatever the rule watches.
      { method: 'POST', path: '/webhooks/watched', body: () => ({ wanted: true }), status: 202 },
      {
        path: '/ruleenforcements/views',
        query: { rule_ref: 'default.watched', limit: '10' },
        until: { '*.status': 'succeeded' },
        reads: [
          ...['*.id', '*.enforced_at', '*.execution_id', '*.trigger_instance_id', '*.trigger_instance.trigger'],
          ...['*.execution.action.parameters', '*.execution.parameters'],
        ],
        keeps: { triggered: '*.execution_id' },
      },
      {
        path: '/executions/{triggered}',
        query: { max_result_size: '102400' },
        reads: [
          ...['rule.ref', 'rule.description', 'trigger.type'],
          ...['trigger_instance.id', 'trigger_instance.occurrence_time', 'trigger_instance.payload'],
        ],
      },
      {
        path: '/sensortypes',
        reads: ['*.ref', '*.enabled', '*.trigger_types'],
        keeps: { sensor: '*', sensorRef: '*.ref' },
      },
      {
        path: '/triggerinstances',
        query: { trigger_type: 'core.st2.webhook', limit: '10' },
        reads: ['*.id', '*.occurrence_time', '*.payload', '*.status'],
        keeps: { instance: '*.id' },
      },
      {
        path: '/ruleenforcements/',
        query: { trigger_instance: '{instance}' },
        reads: ['*.id', '*.rule.ref', '*.execution_id'],
      },
      { path: '/triggerinstances/{instance}', reads: ['payload'] },
      { path: '/triggertypes/core.st2.webhook', reads: ['ref'] },
      {
        method: 'PUT',
        path: '/sensortypes/{sensorRef}',
        body: ({ sensor }) => ({ ...(sensor as object), enabled: false }),
        reads: ['ref', 'enabled'],
      },
      {
        method: 'PUT',
        path: '/sensortypes/{sensorRef}',
        body: ({ sensor }) => ({ ...(sensor as object), enabled: true }),
        reads: ['ref', 'enabled'],
      },
      { method: 'DELETE', path: '/rules/default.watched', status: 204 },
    ],
  },
  {
    title: 'Packs',
    calls: [
      {
        path: '/packs',
        reads: ['*.ref', '*.name', '*.description', '*.version', '*.author', '*.email', '*.files.*'],
      },
      { path: '/packs', query: { include_attributes: 'ref,files' }, reads: ['*.ref', '*.files.*'] },
      { path: '/packs/views/file/core/icon.png', by: 'cookie' },
      {
        path: '/packs/index',
        reads: ['index.*.ref', 'index.*.name', 'index.*.version', 'index.*.repo_url', 'index.*.content'],
      },
      { path: '/config_schemas', reads: ['*.pack', '*.attributes'] },
      { path: '/configs', query: { show_secrets: 'true' } },
      {
        method: 'PUT',
        path: '/configs/examples',
        query: { show_secrets: 'true' },
        body: () => ({ api_key: 'k-1', api_secret: 's-1' }),
        reads: ['pack', 'values'],
      },
      {
        method: 'POST',
        path: '/packs/install',
        body: () => ({ packs: ['indexed'] }),
        status: 202,
        reads: ['execution_id'],
      },
      {
        method: 'POST',
        path: '/packs/uninstall',
        body: () => ({ packs: ['indexed'] }),
        status: 202,
        reads: ['execution_id'],
      },
    ],
  },
  {
    title: 'Workflow designer',
    calls: [
      {
        path: '/actions/views/overview',
        reads: ['*.ref', '*.pack', '*.name', '*.runner_type', '*.parameters', '*.metadata_file'],
      },
      {
        path: '/actions/examples.orquesta-basic',
        reads: ['metadata_file', 'entry_point', 'parameters'],
        keeps: { metadataFile: 'metadata_file', entryPoint: 'entry_point' },
      },
      { path: '/packs/views/file/examples/{metadataFile}', keeps: { metadata: '' } },
      { path: '/packs/views/file/examples/actions/{entryPoint}', keeps: { definition: '' } },
      {
        method: 'POST',
        path: '/actions',
        body: ({ definition }) => workflow('A first version', definition),
        status: 201,
      },
      {
        method: 'PUT',
        path: '/actions/default.designed',
        body: ({ definition }) => workflow('A second version', definition),
      },
      { path: '/actions/default.designed', until: { description: 'A second version' } },
    ],
  },
];

/** Everything that the designer sends to save a workflow. */
const workflow = (description: string, definition: unknown) => ({
  name: 'designed',
  pack: 'default',
  description,
  runner_type: 'orquesta',
  entry_point: 'workflows/designed.yaml',
  enabled: true,
  parameters: {},
  metadata_file: 'actions/designed.meta.yaml',
  data_files: [
    { file_path: 'workflows/designed.yaml', content: definition },
    {
      file_path: 'designed.meta.yaml',
      content: [
        'name: designed',
        `description: ${description}`,
        'runner_type: orquesta',
        'entry_point: workflows/designed.yaml',
        'enabled: true',
        '',
      ].join('\n'),
    },
  ],
});
