import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authRoutes } from '@switchyard/auth';
import { systemClock } from '@switchyard/base';
import { ANY_USER } from '@switchyard/http';
import { createRoleAccess, hashPassword } from '@switchyard/identity';
import {
  giveRole,
  INVALID_CALLERS,
  limitedKey,
  tokenOf,
  usualCallers,
  type Credentials,
} from '@switchyard/testkit/callers';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import request from 'supertest';
import { basic, madeAuthService } from '../made-auth-service';

type Verb = 'get' | 'post' | 'delete';

/** One route, a request for it, and who may send it. */
interface Row {
  readonly operation: string;
  readonly request: readonly [verb: Verb, path: string, body?: object];
  /** `everybody` includes callers with invalid credentials, because the route ignores credentials. */
  readonly who: 'everybody' | 'any user' | 'administrators';
  /** The status for permitted callers. */
  readonly status: number;
  /** The status for callers with an API key, if different. */
  readonly withKey?: number;
  /** The status for restricted credentials. Default: 403. */
  readonly limited?: number;
}

const NONE = '000000000000000000000000';
const UNATTENDED = { service: 'nightly', role: 'observer' };

// Single sign-on is off, so its routes report that to everybody.
const ROWS: readonly Row[] = [
  { operation: 'tokens.create', request: ['post', 'tokens', {}], who: 'everybody', status: 401 },
  { operation: 'tokens.validate', request: ['post', 'tokens/validate', { token: 'x' }], who: 'any user', status: 200 },
  { operation: 'tokens.revoke_own', request: ['delete', 'tokens/current'], who: 'any user', status: 204, withKey: 400, limited: 400 }, // oxfmt-ignore
  { operation: 'tokens.get_all', request: ['get', 'issued_tokens'], who: 'any user', status: 200 },
  { operation: 'tokens.get_all', request: ['get', 'issued_tokens?user=ada'], who: 'administrators', status: 200 },
  { operation: 'tokens.create_unattended', request: ['post', 'issued_tokens', UNATTENDED], who: 'any user', status: 201 }, // oxfmt-ignore
  { operation: 'tokens.revoke_all', request: ['delete', 'issued_tokens'], who: 'any user', status: 200 },
  { operation: 'tokens.revoke_all', request: ['delete', 'issued_tokens?user=ada'], who: 'administrators', status: 200 },
  { operation: 'tokens.revoke', request: ['delete', `issued_tokens/${NONE}`], who: 'any user', status: 404 },
  { operation: 'sso.get', request: ['get', 'sso'], who: 'everybody', status: 200 },
  { operation: 'sso.request', request: ['get', 'sso/request'], who: 'everybody', status: 404 },
  { operation: 'sso.callback_query', request: ['get', 'sso/callback'], who: 'everybody', status: 404 },
  { operation: 'sso.callback', request: ['post', 'sso/callback', {}], who: 'everybody', status: 404 },
  { operation: 'sso.terminal', request: ['get', 'sso/terminal'], who: 'everybody', status: 404 },
  { operation: 'sso.terminal_confirm', request: ['post', 'sso/terminal', {}], who: 'everybody', status: 404 },
  { operation: 'sso.terminal_token', request: ['post', 'sso/terminal/token', { verifier: 'v'.repeat(43) }], who: 'everybody', status: 404 }, // oxfmt-ignore
];

const ADMINISTRATORS = ['admin', 'system_admin'];

/** The expected status of a row for each caller. */
function expected({ who, status, withKey = status, limited = 403 }: Row): Record<string, number> {
  const may = (caller: string, allowed: number) =>
    who !== 'administrators' || ADMINISTRATORS.includes(caller) ? allowed : 403;
  const valid = {
    nobody: may('nobody', status),
    'an API key': may('an API key', withKey),
    observer: may('observer', status),
    admin: status,
    system_admin: status,
    'a limited key': limited,
    'a token for unattended use': limited === 400 ? status : limited,
  };
  if (who !== 'everybody') return { ...INVALID_CALLERS, ...valid };
  return Object.fromEntries([...Object.keys(INVALID_CALLERS), ...Object.keys(valid)].map((caller) => [caller, status]));
}

let platform: TestPlatform;
let made: ReturnType<typeof madeAuthService>;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  const file = join(platform.paths.base, 'htpasswd');
  writeFileSync(file, `ada:${await hashPassword('right')}\n`);
  const { store } = platform;
  const access = createRoleAccess({ store, clock: systemClock() });
  made = madeAuthService(
    { backend_kwargs: JSON.stringify({ file_path: file }) },
    { rbac: { enable: true, backend: 'default' } },
    { store, access },
  );
  for (const role of ['system_admin', 'admin', 'observer']) await giveRole(store, role, [], true);
  await made.service.start();
  later(() => made.service.stop());
});

/** New credentials for each row, because some requests revoke their own credentials. */
async function callers(): Promise<Record<string, Credentials>> {
  const site = { ...made.identities, store: platform.store };
  const expiryMicros = (Date.now() + 3_600_000) * 1000;
  const unattended = { user: 'owner', serviceName: 'nightly', role: 'system_admin', expiryMicros };
  return {
    ...(await usualCallers(site)),
    'a limited key': await limitedKey(site, ['stream_view']),
    'a token for unattended use': { 'x-auth-token': (await made.identities.tokens.issueUnattended(unattended)).token },
  };
}

const send = ([verb, path, body]: Row['request'], credentials: Credentials) =>
  request(made.url())[verb](`/v1/${path}`).set(credentials).send(body);

describe('each route of the auth service', () => {
  it('is in the table, and its declaration matches the table', () => {
    const declared = authRoutes({ identities: {} } as never).map(({ operation, open, permission }) => [
      operation,
      open ? 'everybody' : permission,
    ]);
    const inTable = ROWS.map(({ operation, who }) => [operation, who === 'administrators' ? ANY_USER : who]);
    expect(Object.fromEntries(inTable)).toEqual(Object.fromEntries(declared));
  });

  it.each(ROWS.map((row) => [`${row.request[0]} ${row.request[1]}`, row] as const))(
    'responds to each caller of %s according to the table',
    async (_, row) => {
      const sent = await callers();
      const answers: Record<string, number> = {};
      for (const caller of Object.keys(expected(row))) {
        answers[caller] = (await send(row.request, sent[caller] ?? {})).status;
      }
      expect(answers).toEqual(expected(row));
      expect(Object.keys(answers).sort()).toEqual(Object.keys(sent).sort());
    },
  );

  it('accepts a password, whatever other credentials the request has', async () => {
    const sent = await callers();
    for (const [caller, credentials] of Object.entries(sent)) {
      const login = await send(['post', 'tokens', {}], { ...credentials, authorization: basic('ada', 'right') });
      expect([caller, login.status, login.body.user]).toEqual([caller, 201, 'ada']);
    }
  });

  it('revokes the token of another user only for administrators', async () => {
    const ada = await made.identities.tokens.issueToken({ user: 'ada' });
    const revoke = async (user: string) =>
      send(['delete', `issued_tokens/${ada.id}`], await tokenOf(made.identities, user));
    expect((await revoke('observer')).status).toBe(404);
    expect((await revoke('admin')).status).toBe(204);
  });
});
