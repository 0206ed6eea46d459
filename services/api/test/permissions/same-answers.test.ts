import { newId, systemClock } from '@switchyard/base';
import { createRoleAccess } from '@switchyard/identity';
import { giveRole } from '@switchyard/testkit/callers';
import { apiFixture, type ApiFixture, type Client } from '../support/api-fixture';

let api: ApiFixture;
let eve: Client;
/** Ids of records of other users. */
const ids: Record<string, string> = {};
/** The calls of the store since the last request. */
let calls: string[] = [];

beforeAll(async () => {
  api = await apiFixture({
    access: (store) => createRoleAccess({ store, clock: systemClock() }),
    overrides: { content: { index_url: [] }, rbac: { enable: true, backend: 'default' } },
  });
  await giveRole(api.store, 'admin', [], true);
  await fill(await api.as('admin'));
  const lists = ['action', 'action_alias', 'rule', 'rule_enforcement', 'execution', 'pack', 'policy', 'trigger', 'trace', 'api_key', 'webhook', 'timer', 'inquiry', 'key_value_pair', 'sensor_type']; // oxfmt-ignore
  const own = ['rule_all', 'action_create', 'action_alias_create', 'action_view', 'pack_view'].map((each) => `${each}@pack:mine`); // oxfmt-ignore
  const grants = [...lists.map((type) => `${type}_list`), ...own, 'action_execute@action:core:noop', 'webhook_create@webhook:mine']; // oxfmt-ignore
  await giveRole(api.store, 'eve', grants);
  eve = await api.as('eve');
  await eve.get('user').expect(200);
  watchStore();
});
afterAll(() => api.close());

async function fill(admin: Client): Promise<void> {
  const made = async (path: string, body: object) => (await admin.post(path, body).expect(201)).body.id as string;
  const named = { name: 'hidden', pack: 'theirs' };
  const trigger = { type: 'core.st2.webhook', parameters: { url: 'hidden' } };
  ids['rule'] = await made('rules', { ...named, trigger, action: { ref: 'core.local', parameters: { cmd: 'true' } } });
  ids['alias'] = await made('actionalias', { ...named, action_ref: 'core.local', formats: ['hidden'] });
  const policy = { policy_type: 'action.concurrency', resource_ref: 'core.local', parameters: { threshold: 1 } };
  ids['policy'] = await made('policies', { ...named, ...policy });
  ids['apikey'] = await made('apikeys', {});
  ids['triggertype'] = await made('triggertypes', { ...named, payload_schema: {} });
  await admin.put('keys/hidden', { name: 'hidden', value: 'v' }).expect(200);
  const ran = await admin.post('executions', { action: 'core.local', parameters: { cmd: 'true' } }).expect(201);
  await api.end(ran.body.id);
  ids['execution'] = ran.body.id;
  ids['liveaction'] = ran.body.liveaction.id;
  ids['trace'] = (await admin.get(`traces?execution=${ran.body.id}`).expect(200)).body[0].id;
  const instance = await api.triggers.dispatch({ trigger: 'theirs.hidden', payload: {}, validate: false });
  ids['instance'] = instance._id;
  ids['enforcement'] = newId();
  await api.store.ruleEnforcements.insertOnce({
    _id: ids['enforcement'],
    trigger_instance_id: instance._id,
    execution_id: ran.body.id,
    rule: { ref: 'theirs.hidden', id: ids['rule'], uid: 'rule:theirs:hidden' },
    enforced_at: 1,
    status: 'succeeded',
    request_key: 'x',
  });
}

/** The reads of authentication and roles depend on the time since the last request. */
const OF_CREDENTIALS = ['tokens', 'users', 'roles', 'roleAssignments', 'revisions', 'audit'];

/** Records the calls of repositories. */
function watchStore(): void {
  for (const [name, repository] of Object.entries(api.store)) {
    if (typeof repository !== 'object' || OF_CREDENTIALS.includes(name)) continue;
    const methods = repository as Record<string, unknown>;
    for (const [method, call] of Object.entries(methods)) {
      if (typeof call !== 'function') continue;
      methods[method] = (...given: unknown[]) => {
        calls.push(`${name}.${method}`);
        return (call as (...args: unknown[]) => unknown)(...given);
      };
    }
  }
}

type Verb = keyof Client;
type Asked = readonly [verb: Verb, path: string, body?: unknown];

/** A request for something that eve may not see, and the same for something that does not exist. */
const about = (verb: Verb, path: string, body?: unknown): readonly [Asked, Asked] => {
  const unknown = (text: string) =>
    text.replaceAll('hidden', 'absent').replaceAll('local-shell-cmd', 'absent').replaceAll('local', 'absent');
  const twin = body === undefined ? undefined : (JSON.parse(unknown(JSON.stringify(body))) as unknown);
  return [
    [verb, path, body],
    [verb, unknown(path), twin],
  ];
};

/** The same for a record that is named by its id. */
const byId =
  (verb: Verb, path: (id: string) => string, kind: string, body?: unknown) => (): readonly [Asked, Asked] => [
    [verb, path(ids[kind]!), body],
    [verb, path(newId()), body],
  ];

/** The reads below the path of an execution. */
const EXECUTION_PARTS = [
  ...['', '/output', '/children', '/graph', '/tasks/one/context', '/result'],
  ...['/attribute/status', '/attribute/trigger_instance'],
];

const draft = { name: 'hidden', pack: 'theirs' };
const mine = (more: object) => ({ name: 'hidden', pack: 'mine', ...more });
const hook = { type: 'core.st2.webhook', parameters: { url: 'mine' } };
const noop = { ref: 'core.noop' };

const REPLACEABLE = [
  'actions/core.local',
  'actionalias/theirs.hidden',
  'rules/theirs.hidden',
  'policies/theirs.hidden',
  'triggertypes/theirs.hidden',
  'keys/hidden',
] as const;

const PAIRS: readonly [string, () => readonly [Asked, Asked]][] = [
  ...['actions/core.local', 'actions/views/parameters/core.local', 'actions/views/overview/core.local', 'actions/views/entry_point/core.local', 'actionalias/theirs.hidden', 'rules/theirs.hidden', 'rules/views/theirs.hidden', 'policies/theirs.hidden', 'triggertypes/theirs.hidden', 'triggers/theirs.hidden', 'sensortypes/theirs.hidden', 'packs/hidden', 'packs/views/files/hidden', 'packs/views/file/hidden/a', 'configs/hidden', 'config_schemas/hidden', 'runnertypes/local-shell-cmd', 'webhooks/hidden', 'timers/theirs.hidden', 'keys/hidden', 'keys/hidden?decrypt=true', 'keys/hidden?scope=user&user=admin'] // oxfmt-ignore
    .map((path): [string, () => readonly [Asked, Asked]] => [`GET ${path}`, () => about('get', path)]),
  ...[...REPLACEABLE, 'packs/hidden' as const].map((path): [string, () => readonly [Asked, Asked]] => [
    `DELETE ${path}`,
    () => about('delete', path, {}),
  ]),
  ...REPLACEABLE.map((path): [string, () => readonly [Asked, Asked]] => [
    `PUT ${path}`,
    () => about('put', path, draft),
  ]),
  ['PUT configs/hidden', () => about('put', 'configs/hidden', {})],
  ['POST packs/hidden/unload', () => about('post', 'packs/hidden/unload', {})],
  ['POST executions', () => about('post', 'executions', { action: 'core.local', parameters: { cmd: 'x' } })],
  ['POST a clone', () => about('post', 'actions/core.local/clone', { dest_pack: 'mine', dest_action: 'x' })],
  ['POST webhooks/hidden', () => about('post', 'webhooks/hidden', {})],
  ['POST a rule with an action', () => about('post', 'rules', mine({ trigger: hook, action: { ref: 'core.local' } }))],
  ['POST a backtest with an action', () => about('post', 'rules/backtest', { rule: mine({ trigger: hook, action: { ref: 'core.local' } }) })], // oxfmt-ignore
  ['POST a backtest with a trigger', () => about('post', 'rules/backtest', { rule: mine({ trigger: { type: 'theirs.hidden' }, action: noop }) })], // oxfmt-ignore
  ['POST a backtest of a rule', () => about('post', 'rules/backtest', { rule: 'theirs.hidden' })],
  ['POST an alias of an action', () => about('post', 'actionalias', mine({ action_ref: 'core.local', formats: ['own'] }))], // oxfmt-ignore
  ['POST a policy for an action', () => about('post', 'policies', mine({ policy_type: 'action.concurrency', resource_ref: 'core.local', parameters: { threshold: 1 } }))], // oxfmt-ignore
  ['POST packs/register', () => about('post', 'packs/register', { packs: ['hidden'] })],
  ['GET actions by name', () => about('get', 'actions?name=local')],
  ['GET executions of an action', () => about('get', 'executions?action=core.local')],
  ['GET enforcements of a rule', () => about('get', 'ruleenforcements?rule_ref=theirs.hidden')],
  ['GET instances of a trigger', () => about('get', 'triggerinstances?trigger=theirs.hidden')],
  ['GET rules of a pack', () => about('get', 'rules?pack=theirs.hidden')],
  ['GET items by prefix', () => about('get', 'keys?prefix=hidden')],
  ['GET policies of an action', () => about('get', 'policies?resource_ref=core.local')],
  ...EXECUTION_PARTS.map((part): [string, () => readonly [Asked, Asked]] => [
    `GET executions/ID${part}`,
    byId('get', (id) => `executions/${id}${part}`, 'execution'),
  ]),
  ['PUT executions/ID', byId('put', (id) => `executions/${id}`, 'execution', { status: 'canceled' })],
  ['DELETE executions/ID', byId('delete', (id) => `executions/${id}`, 'execution')],
  ['POST executions/ID/re_run', byId('post', (id) => `executions/${id}/re_run`, 'execution', {})],
  ['GET executions below ID', byId('get', (id) => `executions?parent=${id}`, 'execution')],
  ['GET liveactions/ID', byId('get', (id) => `liveactions/${id}`, 'liveaction')],
  ['GET inquiries/ID', byId('get', (id) => `inquiries/${id}`, 'execution')],
  ['PUT inquiries/ID', byId('put', (id) => `inquiries/${id}`, 'execution', { response: {} })],
  ['GET traces/ID', byId('get', (id) => `traces/${id}`, 'trace')],
  ['GET traces of an execution', byId('get', (id) => `traces?execution=${id}`, 'execution')],
  ['GET traces of a rule', byId('get', (id) => `traces?rule=${id}`, 'rule')],
  ['GET triggerinstances/ID', byId('get', (id) => `triggerinstances/${id}`, 'instance')],
  ['GET ruleenforcements/ID', byId('get', (id) => `ruleenforcements/${id}`, 'enforcement')],
  ['GET ruleenforcements/views/ID', byId('get', (id) => `ruleenforcements/views/${id}`, 'enforcement')],
  ['GET enforcements of an execution', byId('get', (id) => `ruleenforcements?execution=${id}`, 'execution')],
  ['GET apikeys/ID', byId('get', (id) => `apikeys/${id}`, 'apikey')],
  ['PUT apikeys/ID', byId('put', (id) => `apikeys/${id}`, 'apikey', { enabled: false })],
  ['DELETE apikeys/ID', byId('delete', (id) => `apikeys/${id}`, 'apikey')],
  ['GET rules/ID', byId('get', (id) => `rules/${id}`, 'rule')],
  ['PUT rules/ID', byId('put', (id) => `rules/${id}`, 'rule', draft)],
  ['GET actionalias/ID', byId('get', (id) => `actionalias/${id}`, 'alias')],
  ['GET policies/ID', byId('get', (id) => `policies/${id}`, 'policy')],
  ['GET triggertypes/ID', byId('get', (id) => `triggertypes/${id}`, 'triggertype')],
];

/** Headers that differ between any two responses. */
const OF_EACH = ['date', 'x-request-id', 'content-length', 'set-cookie'];

/** The API looks for living processes by itself from time to time. */
const isOfRequest = (call: string): boolean => call !== 'instances.list';

/** What a user can observe of a response, and the store calls for it. */
async function seen([verb, path, body]: Asked) {
  calls = [];
  const { status, text, headers } = await eve[verb](path, body);
  const plain = (given: string) => given.replace(/[0-9a-f]{24}|hidden|absent|local-shell-cmd|local/g, 'NAME');
  const kept = Object.entries(headers).filter(([name]) => !OF_EACH.includes(name));
  return { status, text: plain(text), headers: plain(JSON.stringify(kept)), calls: calls.filter(isOfRequest).sort() };
}

describe('A user who may not see a record', () => {
  it.each(PAIRS)('gets the same response as for one that does not exist, at the same cost: %s', async (_, pair) => {
    const [hidden, unknown] = pair();
    const [first, second] = [await seen(hidden), await seen(unknown)];
    expect(first).toEqual(second);
    expect(first.status).toBeLessThan(500);
  });
});

describe('A user who may see an execution', () => {
  it('gets it with a single read, which also serves for the check of the permission', async () => {
    const ran = await eve.post('executions', { action: 'core.noop' }).expect(201);
    const { status, calls: made } = await seen(['get', `executions/${ran.body.id}`]);
    expect(status).toBe(200);
    expect(made.filter((call) => call.startsWith('executions.'))).toEqual(['executions.get']);
  });
});
