import type { AuditTrail } from '@switchyard/identity';
import { challengeOf, userCodeOf, type AuditEntry } from '@switchyard/model';
import { madeAuthService } from '../made-auth-service';
import { madeBrowser } from '../sso/made-browser';
import { madeProvider } from '../sso/made-provider';

type Provider = Awaited<ReturnType<typeof madeProvider>>;
let provider: Provider;
let made: ReturnType<typeof madeAuthService>;
const entries: AuditEntry[] = [];
const audit: AuditTrail = {
  record: async (entry) => void entries.push(entry),
  recordOwn: async () => true,
  head: () => undefined,
  settled: async () => undefined,
};

beforeAll(async () => {
  provider = await madeProvider();
  const kwargs = {
    ...{ issuer: provider.issuer, client_id: 'svc', client_secret: 'marked-client-secret' },
    redirect_uri: 'http://127.0.0.1/auth/v1/sso/callback',
  };
  const sso = { sso: true, sso_backend: 'oidc', sso_backend_kwargs: JSON.stringify(kwargs) };
  const proxies = { trusted_proxies: ['127.0.0.1'] };
  const backend = { backend_kwargs: JSON.stringify({ file_path: '/nowhere/htpasswd' }) };
  made = madeAuthService({ ...backend, ...sso, ...proxies }, {}, { audit });
  await made.service.start();
});
afterAll(async () => {
  await made.service.stop();
  await provider.close();
});
beforeEach(() => void (entries.length = 0));

const headers = { 'x-forwarded-for': '192.0.2.7' };

/** Logs in with an ID token that differs from the correct one. */
async function logIn(verb: 'GET' | 'POST', changes: Record<string, unknown> = {}): Promise<number> {
  const browser = madeBrowser();
  const start = await browser.request(`${made.url()}/v1/sso/request`);
  const parameters = new URLSearchParams(provider.logIn(start.headers.get('location') ?? '', changes));
  const callback = `${made.url()}/v1/sso/callback`;
  const sent = { method: verb, headers };
  const { status } = await (verb === 'GET'
    ? browser.request(`${callback}?${parameters.toString()}`, sent)
    : browser.request(callback, { ...sent, body: parameters }));
  return status;
}

describe('the audit records of a terminal login', () => {
  it('name the user for the login, the confirmation and the token, and omit the requests of the waiting command', async () => {
    const verifier = 'v'.repeat(43);
    const fetchToken = () =>
      fetch(`${made.url()}/v1/sso/terminal/token`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ verifier }),
      });
    const browser = madeBrowser();
    const code = userCodeOf(challengeOf(verifier));
    const start = await browser.request(`${made.url()}/v1/sso/terminal?code=${code}`);
    const parameters = new URLSearchParams(provider.logIn(start.headers.get('location') ?? ''));
    const page = await browser.request(`${made.url()}/v1/sso/callback?${parameters.toString()}`);
    expect((await fetchToken()).status).toBe(404);
    const [, secret = ''] = /name="secret" value="([^"]+)"/.exec(await page.text()) ?? [];
    const body = new URLSearchParams({ secret });
    await browser.request(`${made.url()}/v1/sso/terminal`, { method: 'POST', body });
    expect((await fetchToken()).status).toBe(201);
    expect(entries.map(({ operation, user, kind }) => [operation, user, kind])).toEqual([
      ['sso.callback_query', 'ada', 'login'],
      ['sso.terminal_confirm', 'ada', 'change'],
      ['sso.terminal_token', 'ada', 'change'],
    ]);
    expect(JSON.stringify(entries)).not.toContain(verifier);
  });
});

describe('the audit record of a login by single sign-on', () => {
  it.each([
    ['GET', 'sso.callback_query'],
    ['POST', 'sso.callback'],
  ] as const)('names the user (%s)', async (verb, operation) => {
    expect(await logIn(verb)).toBe(200);
    expect(entries).toEqual([
      {
        ...{
          kind: 'login',
          user: 'ada',
          authenticated_by: 'sso',
          address: '192.0.2.7',
          operation,
          resource_type: 'sso',
        },
        ...{ resource: '', outcome: 'succeeded', status: 200, request_id: expect.any(String), changed: [] },
      },
    ]);
  });

  it.each([
    ['GET', 'sso.callback_query'],
    ['POST', 'sso.callback'],
  ] as const)('names no user if it is refused (%s)', async (verb, operation) => {
    expect(await logIn(verb, { aud: 'other' })).toBe(401);
    const refused = { kind: 'login', user: '', authenticated_by: 'none', outcome: 'refused', status: 401 };
    expect(entries).toEqual([expect.objectContaining({ ...refused, operation, address: '192.0.2.7' })]);
  });

  it('reports a failure if the provider is unavailable', async () => {
    provider.behaviour.status = 500;
    const status = await logIn('POST').finally(() => (provider.behaviour.status = 200));
    expect(status).toBe(503);
    expect(entries).toEqual([expect.objectContaining({ kind: 'login', user: '', outcome: 'failed', status })]);
  });

  it('contains no data from the provider', async () => {
    await logIn('GET');
    await logIn('POST', { nonce: 'x' });
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toMatch(/marked|eyJ/);
  });
});
