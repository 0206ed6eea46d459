/** Ids of records that the rows name. */
export interface PreparedIds {
  readonly execution: string;
  readonly liveaction: string;
  readonly enforcement: string;
  readonly instance: string;
  readonly trigger: string;
  readonly apiKey: string;
  readonly apiKeyHash: string;
  readonly trace: string;
}

/** `permission`, or `permission@uid` for one resource. */
type Grant = string;

/** One route, a request for it, and who may send it. */
export interface PermissionRow {
  readonly operation: string;
  readonly request: readonly [verb: 'get' | 'post' | 'put' | 'delete', path: string, body?: unknown];
  /** The status for permitted callers: often a 404 or 400, because no such record exists. */
  readonly status: number;
  /** The required permission, or `any user` or `administrators`. */
  readonly needs: readonly Grant[] | 'any user' | 'administrators';
  /** A similar permission that is not sufficient. */
  readonly near?: Grant;
}

const row = (
  operation: string,
  request: PermissionRow['request'],
  status: number,
  needs: PermissionRow['needs'],
  near?: Grant,
): PermissionRow => ({ operation, request, status, needs, ...(near === undefined ? {} : { near }) });

const own = (operation: string, request: PermissionRow['request'], status: number): PermissionRow =>
  row(operation, request, status, 'any user');
const admins = (operation: string, request: PermissionRow['request'], status: number): PermissionRow =>
  row(operation, request, status, 'administrators');

export const permissionRows = (ids: PreparedIds): PermissionRow[] => [
  ...executionRows(ids),
  ...contentRows(),
  ...packRows(),
  ...eventRows(ids),
  ...otherRows(ids),
];

function executionRows({ execution: id, liveaction }: PreparedIds): PermissionRow[] {
  const view = `execution_view@execution:${id}`;
  const stop = `execution_stop@execution:${id}`;
  const viewed = (operation: string, path: string, status = 200) =>
    row(operation, ['get', `executions/${id}${path}`], status, [view], 'execution_list');
  return [
    row('executions.get_all', ['get', 'executions'], 200, ['execution_list'], view),
    row('executions.create', ['post', 'executions', { action: 'deploy.none' }], 400, ['action_execute@action:deploy:none'], 'action_view@action:deploy:none'), // oxfmt-ignore
    row('execution_views_filters.get_all', ['get', 'executions/views/filters'], 200, ['execution_views_filters_list'], 'execution_list'), // oxfmt-ignore
    row('execution_views_statistics.get', ['get', 'executions/views/statistics'], 200, ['execution_list'], view),
    viewed('executions.get_one', ''),
    viewed('execution_children.get_one', '/children'),
    viewed('execution_graph.get_one', '/graph', 404),
    viewed('execution_task_context.get_one', '/tasks/one/context', 404),
    viewed('execution_attributes.get', '/attribute/status'),
    viewed('execution_output.get_one', '/output'),
    viewed('execution_result.get_one', '/result'),
    row('executions.put', ['put', `executions/${id}`, { status: 'canceled' }], 400, [stop], view),
    row('executions.delete', ['delete', `executions/${id}`], 200, [stop], view),
    row('executions.re_run', ['post', `executions/${id}/re_run`, {}], 201, [`execution_rerun@execution:${id}`], stop),
    row('liveactions.get_all', ['get', 'liveactions'], 200, ['execution_list'], view),
    row('liveactions.get_one', ['get', `liveactions/${liveaction}`], 200, [view], 'execution_list'),
    row('inquiries.get_all', ['get', 'inquiries'], 200, ['inquiry_list'], 'inquiry_view'),
    row('inquiries.get_one', ['get', `inquiries/${id}`], 400, ['inquiry_view'], 'inquiry_list'),
    row('inquiries.put', ['put', `inquiries/${id}`, { id, response: {} }], 400, ['inquiry_respond'], 'inquiry_list'),
  ];
}

/** The routes of a kind of records that have a pack and a name. */
function kindRows(type: string, path: string, operations: string, posted: string): PermissionRow[] {
  const uid = `${type}:deploy:none`;
  const [view, modify, remove] = ['view', 'modify', 'delete'].map((each) => `${type}_${each}@${uid}`) as [string, string, string]; // oxfmt-ignore
  const [one, draft] = [`${path}/deploy.none`, { name: 'none', pack: 'deploy' }];
  return [
    row(`${operations}.get_all`, ['get', path], 200, [`${type}_list`], view),
    row(`${operations}.get_one`, ['get', one], 404, [view], `${type}_list`),
    row(`${operations}.${posted}`, ['post', path, draft], 400, [`${type}_create@${uid}`], modify),
    row(`${operations}.put`, ['put', one, draft], 400, [modify], remove),
    row(`${operations}.delete`, ['delete', one, {}], 404, [remove], modify),
  ];
}

function contentRows(): PermissionRow[] {
  const action = 'action_view@action:deploy:none';
  const run = 'action_execute@action:core:noop';
  const command = { command: 'begin nothing', source_channel: 'here' };
  const sensor = (operation: string, permission: string, ...request: PermissionRow['request']) =>
    row(operation, request, 404, [`${permission}@sensor_type:deploy:none`], 'sensor_type_list');
  return [
    ...kindRows('action', 'actions', 'actions', 'create'),
    row('actions.clone', ['post', 'actions/deploy.none/clone', { dest_pack: 'mine', dest_action: 'x' }], 404, [action, 'action_create@pack:mine'], 'action_create@pack:mine'), // oxfmt-ignore
    row('actions_views_parameters.get_one', ['get', 'actions/views/parameters/deploy.none'], 404, [action], 'action_list'), // oxfmt-ignore
    row('actions_views_overview.get_all', ['get', 'actions/views/overview'], 200, ['action_list'], action),
    row('actions_views_overview.get_one', ['get', 'actions/views/overview/deploy.none'], 404, [action], 'action_list'),
    row('actions_views_entry_point.get_one', ['get', 'actions/views/entry_point/deploy.none'], 404, [action], 'action_list'), // oxfmt-ignore
    ...kindRows('action_alias', 'actionalias', 'action_alias', 'post'),
    row('action_alias.match', ['post', 'actionalias/match', { command: 'nothing fits' }], 400, ['action_alias_match'], 'action_alias_list'), // oxfmt-ignore
    row('action_alias.help', ['get', 'actionalias/help'], 200, ['action_alias_help'], 'action_alias_match'),
    row('action_alias_execution.post', ['post', 'aliasexecution', { ...command, name: 'begin', format: 'begin nothing' }], 201, [run], 'action_view@pack:core'), // oxfmt-ignore
    row('action_alias_execution.match_and_execute', ['post', 'aliasexecution/match_and_execute', { ...command, user: 'bot' }], 201, [run], 'action_view@pack:core'), // oxfmt-ignore
    row('sensor_types.get_all', ['get', 'sensortypes'], 200, ['sensor_type_list'], 'sensor_type_view@pack:deploy'),
    sensor('sensor_types.get_one', 'sensor_type_view', 'get', 'sensortypes/deploy.none'),
    sensor('sensor_type_log.get_one', 'sensor_type_view', 'get', 'sensortypes/deploy.none/log'),
    sensor('sensor_types.put', 'sensor_type_modify', 'put', 'sensortypes/deploy.none', { enabled: true }),
    sensor('sensor_types.delete', 'sensor_type_all', 'delete', 'sensortypes/deploy.none'),
    row('runner_types.get_all', ['get', 'runnertypes'], 200, ['runner_type_list'], 'runner_type_view@runner_type:none'),
    row('runner_types.get_one', ['get', 'runnertypes/none'], 404, ['runner_type_view@runner_type:none'], 'runner_type_list'), // oxfmt-ignore
    row('runner_types.put', ['put', 'runnertypes/none', { enabled: true }], 404, ['runner_type_modify@runner_type:none'], 'runner_type_view@runner_type:none'), // oxfmt-ignore
    ...kindRows('policy', 'policies', 'policies', 'post').map((each) =>
      each.operation === 'policies.post' ? { ...each, needs: ['policy_create'] } : each,
    ),
    row('policy_types.get_all', ['get', 'policytypes'], 200, ['policy_type_list'], 'policy_type_view@policy_type:action:none'), // oxfmt-ignore
    row('policy_types.get_one', ['get', 'policytypes/action.none'], 404, ['policy_type_view@policy_type:action:none'], 'policy_type_list'), // oxfmt-ignore
  ];
}

function packRows(): PermissionRow[] {
  const view = 'pack_view@pack:none';
  const viewed = (operation: string, path: string) => row(operation, ['get', path], 404, [view], 'pack_list');
  const packs = ['none'];
  return [
    row('packs.get_all', ['get', 'packs'], 200, ['pack_list'], view),
    viewed('packs.get_one', 'packs/none'),
    viewed('packs_views_files.get_one', 'packs/views/files/none'),
    viewed('packs_views_file.get_one', 'packs/views/file/none/README.md'),
    row('packs.register', ['post', 'packs/register', { packs, check_only: true }], 400, ['pack_register'], 'pack_install'), // oxfmt-ignore
    row('packs.install', ['post', 'packs/install', { packs }], 202, ['pack_install', 'action_execute@action:packs:install'], 'pack_install'), // oxfmt-ignore
    row('packs.uninstall', ['post', 'packs/uninstall', { packs }], 202, ['pack_uninstall', 'action_execute@action:packs:uninstall'], 'pack_uninstall'), // oxfmt-ignore
    row('packs.unload', ['post', 'packs/none/unload'], 404, ['pack_delete@pack:none'], view),
    row('packs.delete', ['delete', 'packs/none'], 404, ['pack_delete@pack:none'], view),
    row('packs_index.get_all', ['get', 'packs/index'], 400, ['pack_search'], 'pack_list'),
    row('packs_index_search.search', ['post', 'packs/index/search', {}], 400, ['pack_search'], 'pack_list'),
    row('packs_index_health.get', ['get', 'packs/index/health'], 200, ['pack_views_index_health'], 'pack_search'),
    row('pack_configs.get_all', ['get', 'configs'], 200, ['pack_list'], view),
    viewed('pack_configs.get_one', 'configs/none'),
    row('pack_configs.put', ['put', 'configs/new', {}], 200, ['pack_config@pack:new'], view),
    row('config_schema.get_all', ['get', 'config_schemas'], 200, ['pack_list'], view),
    viewed('config_schema.get_one', 'config_schemas/none'),
  ];
}

function eventRows({ enforcement, instance, trigger }: PreparedIds): PermissionRow[] {
  const rule = 'rule_view@rule:deploy:none';
  const enforced = `rule_enforcement_view@rule_enforcement:${enforcement}`;
  const seen = 'trigger_view@trigger:deploy:none';
  return [
    ...kindRows('rule', 'rules', 'rules', 'post'),
    row('rules_views.get_all', ['get', 'rules/views'], 200, ['rule_list'], rule),
    row('rules_views.get_one', ['get', 'rules/views/deploy.none'], 404, [rule], 'rule_list'),
    row('rules.backtest', ['post', 'rules/backtest', { rule: { pack: 'deploy', name: 'none', trigger: { type: 'deploy.none' } } }], 400, ['rule_create@pack:deploy', seen], 'rule_create@pack:deploy'), // oxfmt-ignore
    own('rule_types.get_all', ['get', 'ruletypes'], 200),
    own('rule_types.get_one', ['get', 'ruletypes/none'], 404),
    row('rule_enforcements.get_all', ['get', 'ruleenforcements'], 200, ['rule_enforcement_list'], enforced),
    row('rule_enforcements_views.get_all', ['get', 'ruleenforcements/views'], 200, ['rule_enforcement_list'], enforced),
    row('rule_enforcements.get_one', ['get', `ruleenforcements/${enforcement}`], 200, [enforced], 'rule_enforcement_list'), // oxfmt-ignore
    row('rule_enforcements_views.get_one', ['get', `ruleenforcements/views/${enforcement}`], 200, [enforced], 'rule_enforcement_list'), // oxfmt-ignore
    row('trigger_types.get_all', ['get', 'triggertypes'], 200, ['trigger_list'], seen),
    row('trigger_types.get_one', ['get', 'triggertypes/deploy.none'], 404, [seen], 'trigger_list'),
    admins('trigger_types.post', ['post', 'triggertypes', {}], 400),
    admins('trigger_types.put', ['put', 'triggertypes/deploy.none', {}], 404),
    admins('trigger_types.delete', ['delete', 'triggertypes/deploy.none'], 404),
    row('triggers.get_all', ['get', 'triggers'], 200, ['trigger_list'], seen),
    row('triggers.get_one', ['get', 'triggers/deploy.none'], 404, [seen], 'trigger_list'),
    admins('triggers.post', ['post', 'triggers', {}], 400),
    admins('triggers.put', ['put', 'triggers/deploy.none', {}], 404),
    admins('triggers.delete', ['delete', 'triggers/deploy.none'], 404),
    row('trigger_instances.get_all', ['get', 'triggerinstances'], 200, ['trigger_list'], seen),
    row('trigger_instances.get_one', ['get', `triggerinstances/${instance}`], 200, [`trigger_view@${trigger}`], seen),
    admins('trigger_instances.re_emit', ['post', 'triggerinstances/000000000000000000000001/re_emit'], 404),
    admins('trigger_instances.replay', ['post', 'triggerinstances/replay', { ids: [instance] }], 200),
    row('timers.get_all', ['get', 'timers'], 200, ['timer_list'], 'timer_view@timer:deploy:none'),
    row(
      'timers_views_upcoming.get',
      ['get', 'timers/views/upcoming'],
      200,
      ['timer_list'],
      'timer_view@timer:deploy:none',
    ),
    row('timers.get_one', ['get', 'timers/deploy.none'], 404, ['timer_view@timer:deploy:none'], 'timer_list'),
    row('timers.get_next', ['get', 'timers/deploy.none/next'], 404, ['timer_view@timer:deploy:none'], 'timer_list'),
    row('webhooks.get_all', ['get', 'webhooks'], 200, ['webhook_list'], 'webhook_view@webhook:none'),
    row('webhooks.get_one', ['get', 'webhooks/none'], 404, ['webhook_view@webhook:none'], 'webhook_list'),
    row('webhooks.post', ['post', 'webhooks/none', {}], 404, ['webhook_send@webhook:none'], 'webhook_view@webhook:none'), // oxfmt-ignore
  ];
}

function otherRows({ apiKey, apiKeyHash, trace }: PreparedIds): PermissionRow[] {
  const item = (name: string) => `key_value_pair:st2kv.system:${name}`;
  const key = (permission: string) => `api_key_${permission}@api_key:${apiKeyHash}`;
  return [
    row('traces.get_all', ['get', 'traces'], 200, ['trace_list'], 'trace_view@trace:x'),
    row('traces.get_one', ['get', `traces/${trace}`], 200, [`trace_view@trace:${trace}`], 'trace_list'),
    own('key_value_pairs.get_all', ['get', 'keys'], 200),
    row('key_value_pairs.get_one', ['get', 'keys/none'], 404, [`key_value_pair_view@${item('none')}`], 'key_value_pair_list'), // oxfmt-ignore
    row('key_value_pairs.put', ['put', 'keys/new', { name: 'new', value: 'v' }], 200, [`key_value_pair_set@${item('new')}`], `key_value_pair_view@${item('new')}`), // oxfmt-ignore
    row('key_value_pairs.delete', ['delete', 'keys/none'], 404, [`key_value_pair_delete@${item('none')}`], `key_value_pair_set@${item('none')}`), // oxfmt-ignore
    admins('key_rotation.get', ['get', 'key_rotation'], 404),
    admins('key_rotation.post', ['post', 'key_rotation', { retire: true }], 404),
    admins('purge.post', ['post', 'purge', { kind: 'traces', before: '2000-01-01T00:00:00Z' }], 200),
    row('api_keys.get_all', ['get', 'apikeys'], 200, ['api_key_list'], key('view')),
    row('api_keys.create', ['post', 'apikeys', {}], 201, ['api_key_create'], 'api_key_list'),
    row('api_keys.get_one', ['get', `apikeys/${apiKey}`], 200, [key('view')], 'api_key_list'),
    row('api_keys.update', ['put', `apikeys/${apiKey}`, { key_hash: 'x' }], 400, [key('modify')], key('view')),
    row('api_keys.delete', ['delete', `apikeys/${apiKey}`], 204, [key('delete')], key('modify')),
    row('audit.get_all', ['get', 'audit'], 200, ['audit_list'], 'audit_view'),
    row('audit.verify', ['get', 'audit/verify'], 200, ['audit_list'], 'audit_view'),
    row('audit.get_one', ['get', 'audit/none'], 404, ['audit_view'], 'audit_list'),
    admins('service_registry_groups.get_all', ['get', 'service_registry/groups'], 200),
    admins('service_registry_group_members.get_one', ['get', 'service_registry/groups/none/members'], 404),
    admins('status.get', ['get', 'status'], 200),
    own('root.get', ['get', ''], 200),
    own('user.get', ['get', 'user'], 200),
    own('user.get_permissions', ['get', 'user/permissions'], 200),
    own('role_assignments.get_all', ['get', 'rbac/role_assignments?limit=x'], 400),
    own('role_assignments.get_one', ['get', 'rbac/role_assignments/000000000000000000000001'], 404),
    admins('roles.get_all', ['get', 'rbac/roles'], 200),
    admins('roles.get_one', ['get', 'rbac/roles/none'], 404),
    admins('roles.sync', ['post', 'rbac/sync'], 400),
    admins('permission_types.get_all', ['get', 'rbac/permission_types'], 200),
    admins('permission_types.get_one', ['get', 'rbac/permission_types/none'], 404),
    own('workflow_inspection.post', ['post', 'workflows/inspect', 'version: 1.0'], 200),
    own('workflow_graph.post', ['post', 'workflows/graph', 'version: 1.0'], 200),
    own('workflow_rehearsal.post', ['post', 'workflows/rehearse', { definition: '', rehearsal: '' }], 400),
  ];
}
