import { newId, systemClock } from '@switchyard/base';
import { ANY_USER, ADMINISTRATORS } from '@switchyard/http';
import { createRoleAccess } from '@switchyard/identity';
import request from 'supertest';
import { apiFixture, type ApiFixture } from '../support/api-fixture';
import { permissionRows, type PermissionRow, type PreparedIds } from './permission-rows';
import {
  giveRole,
  INVALID_CALLERS,
  limitedKey,
  tokenOf,
  usualCallers,
  type Credentials,
} from '@switchyard/testkit/callers';

/** Caller → the headers that identify the caller. */
type Callers = Record<string, Credentials>;

let api: ApiFixture;
let rows: PermissionRow[];
let callers: Callers;
beforeAll(async () => {
  api = await apiFixture({
    access: (store) => createRoleAccess({ store, clock: systemClock() }),
    overrides: { content: { index_url: [] }, rbac: { enable: true, backend: 'default' } },
  });
  for (const role of ['system_admin', 'admin', 'observer']) await giveRole(api.store, role, [], true);
  rows = permissionRows(await prepared());
  for (const { operation, needs, near } of rows) {
    if (typeof needs !== 'string') await giveRole(api.store, `exactly ${operation}`, needs);
    if (near !== undefined) await giveRole(api.store, `nearly ${operation}`, [near]);
  }
  callers = await callersOf(api);
});
afterAll(() => api.close());

/** The records that rows name by id. An administrator made them. */
async function prepared(): Promise<PreparedIds> {
  const admin = await api.as('admin');
  const ran = (await admin.post('executions', { action: 'core.noop' }).expect(201)).body;
  await api.end(ran.id);
  const key = (await admin.post('apikeys', {}).expect(201)).body;
  const alias = { pack: 'default', name: 'begin', action_ref: 'core.noop', formats: ['begin nothing'] };
  await admin.post('actionalias', alias).expect(201);
  const trigger = 'core.st2.action.file_written';
  const payload = { ref: 'core.noop', file_path: 'x', host_info: {} };
  const instance = await api.triggers.dispatch({ trigger, payload, validate: false });
  const enforcement = newId();
  await api.store.ruleEnforcements.insertOnce({
    _id: enforcement,
    trigger_instance_id: instance._id,
    execution_id: ran.id,
    rule: { ref: 'deploy.on', id: newId(), uid: 'rule:deploy:on' },
    enforced_at: 1,
    status: 'succeeded',
    request_key: 'x',
  });
  const { body: traces } = await admin.get(`traces?execution=${ran.id}`).expect(200);
  return {
    execution: ran.id,
    liveaction: ran.liveaction.id,
    enforcement,
    instance: instance._id,
    trigger: 'trigger:core:st2.action.file_written',
    apiKey: key.id,
    apiKeyHash: String(key.uid).replace(/^api_key:/, ''),
    trace: traces[0].id,
  };
}

async function callersOf({ identities, store }: ApiFixture): Promise<Callers> {
  const site = { ...identities, store };
  const named = rows.flatMap(({ operation }) => [`exactly ${operation}`, `nearly ${operation}`]);
  const tokens = named.map(async (user) => [user, await tokenOf(identities, user)] as const);
  const keys = rows.flatMap(({ operation, needs, near }) => [
    [`a key for ${operation}`, typeof needs === 'string' ? ['rule_list'] : needs] as const,
    [`a key nearly for ${operation}`, [near ?? 'rule_list']] as const,
  ]);
  const limited = keys.map(async ([name, grants]) => [name, await limitedKey(identities, grants)] as const);
  return { ...(await usualCallers(site)), ...Object.fromEntries(await Promise.all([...tokens, ...limited])) };
}

/** What a restricted key may do without a permission. */
const FOR_RESTRICTED = ['rule_types.get_all', 'rule_types.get_one', 'root.get', 'user.get', 'user.get_permissions'];
/** It may not create keys, and the deleted key was not created by another caller. */
const NOT_WITH_RESTRICTED = ['api_keys.create', 'api_keys.update', 'api_keys.delete'];

const READING = /_(view|list|search)(@|$)/;

/** The expected statuses of a row, by caller. The exact role comes first, because administrators remove records that it
 * needs. */
function expected({ operation, status, needs, near }: PermissionRow): Record<string, number> {
  const isListed = typeof needs !== 'string';
  const everybody = needs === ANY_USER ? status : 403;
  const withKey = isListed ? !NOT_WITH_RESTRICTED.includes(operation) : FOR_RESTRICTED.includes(operation);
  const reads = isListed && needs.every((grant) => READING.test(grant));
  return {
    ...(isListed ? { [`exactly ${operation}`]: status } : {}),
    ...(near === undefined ? {} : { [`nearly ${operation}`]: 403 }),
    [`a key for ${operation}`]: withKey ? status : 403,
    [`a key nearly for ${operation}`]: FOR_RESTRICTED.includes(operation) ? status : 403,
    ...INVALID_CALLERS,
    nobody: everybody,
    'an API key': everybody,
    observer: reads ? status : everybody,
    admin: operation === 'api_keys.delete' ? 404 : status,
    system_admin: operation === 'api_keys.delete' ? 404 : status,
  };
}

describe('Each route of the API', () => {
  it('is in the table of permissions, and its declaration matches the table', () => {
    const declared = api.routes.filter(({ open }) => !open);
    const wanted = Object.fromEntries(declared.map(({ operation, permission }) => [operation, permission]));
    const inTable = Object.fromEntries(
      rows.map(({ operation, needs }) => [operation, typeof needs === 'string' ? needs : needs.map(permissionOf)]),
    );
    expect(Object.keys(inTable).sort()).toEqual(Object.keys(wanted).sort());
    const differing = Object.entries(wanted).filter(
      ([operation, permission]) => ![inTable[operation]].flat().includes(permission as string),
    );
    expect(differing).toEqual([]);
    expect(Object.values(wanted).filter((permission) => permission === ADMINISTRATORS)).not.toHaveLength(0);
  });

  it('responds to each caller according to the table of permissions', async () => {
    const wrong: string[] = [];
    for (const row of rows) {
      for (const [caller, status] of Object.entries(expected(row))) {
        const [verb, path, body] = row.request;
        const sent = request(api.url)
          [verb](`/v1/${path}`)
          .set(callers[caller] ?? {});
        const answer = await (typeof body === 'string'
          ? sent.type('text/plain').send(body)
          : sent.send(body as object));
        if (answer.status !== status)
          wrong.push(`${row.operation} for ${caller}: ${answer.status}, not ${status}: ${answer.text.slice(0, 200)}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

const permissionOf = (grant: string): string => grant.replace(/@.*/s, '');
