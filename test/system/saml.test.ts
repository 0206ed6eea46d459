import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeBrowser } from '../../services/auth/test/sso/made-browser';
import { madeSamlProvider, type Deviation } from '../../services/auth/test/sso/made-saml-provider';
import { freePorts, startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;

describe('a system with SAML', () => {
  let provider: Awaited<ReturnType<typeof madeSamlProvider>>;
  let system: SystemProcess;

  beforeAll(async () => {
    provider = await madeSamlProvider();
    const [api] = await freePorts(1);
    const kwargs = { entity_id: `http://127.0.0.1:${api}`, metadata_url: provider.metadataUrl };
    const sso = `[auth]\nsso = True\nsso_backend = saml2\nsso_backend_kwargs = ${JSON.stringify(kwargs)}\n`;
    system = await startSystem({ config: sso, api: api! });
  }, 2 * MINUTE);
  afterAll(async () => {
    await system?.stop();
    await provider?.close();
  }, MINUTE);

  /** A browser opens the console's login, logs in at the provider, and sends the provider's form. */
  async function loggedIn(deviation: Deviation = {}, change = (form: Record<string, string>) => form) {
    const browser = madeBrowser();
    const start = await browser.request(`${system.api}/auth/v1/sso/request`, { headers: { referer: system.api } });
    const location = start.headers.get('location') ?? '';
    const form = change(await provider.logIn(location, deviation));
    const callback = `${system.api}/auth/sso/callback`;
    const send = () => browser.request(callback, { method: 'POST', body: new URLSearchParams(form) });
    const answer = await send();
    const cookie = browser.cookies(system.api).get('st2-auth-token') ?? 'null';
    const token = JSON.parse(decodeURIComponent(cookie)) as { token: string; user: string } | null;
    return { start: start.status, status: answer.status, page: await answer.text(), token, send };
  }

  const call = async (token: string | undefined, path: string, body?: object) => {
    const headers = { ...(token === undefined ? {} : { 'x-auth-token': token }), 'content-type': 'application/json' };
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    return fetch(`${system.api}/v1/${path}`, { ...init, headers });
  };

  it('logs a browser in, and its token works in the API', async () => {
    const { start, status, token, page } = await loggedIn();
    expect([start, status, token?.user]).toEqual([307, 200, 'ada']);
    expect(page).toContain(token!.token);
    expect(await (await call(token!.token, 'user')).json()).toMatchObject({ username: 'ada' });
    expect((await call(token!.token, 'executions', { action: 'core.noop' })).status).toBe(201);
  });

  it('refuses what the provider has not signed for this login', async () => {
    const forged = (form: Record<string, string>) => {
      const xml = Buffer.from(form['SAMLResponse']!, 'base64').toString().replaceAll('>ada<', '>eve<');
      return { ...form, SAMLResponse: Buffer.from(xml).toString('base64') };
    };
    for (const answer of [
      await loggedIn({}, forged),
      await loggedIn({ foreignKey: true }),
      await loggedIn({ audience: 'x' }),
    ])
      // oxfmt-ignore
      expect([answer.status, answer.token]).toEqual([401, null]);
    const { send } = await loggedIn();
    expect((await send()).status).toBe(401);
  });

  it('records logins and refusals, and writes no response of the provider to the log', async () => {
    const { token } = await loggedIn({ attributes: { Username: 'grace', Email: 'marked@example.org' } });
    const audit = (await (await call(token!.token, 'audit?kind=login&limit=100')).json()) as { user?: string; outcome: string }[]; // oxfmt-ignore
    expect(audit).toContainEqual(expect.objectContaining({ user: 'grace', outcome: 'succeeded' }));
    expect(audit).toContainEqual(expect.objectContaining({ status: 401 }));
    const log = readFileSync(join(system.directory, 'logs/switchyard.log'), 'utf8');
    expect(log).toContain('POST /auth/sso/callback');
    for (const text of ['PHNhbW', '<saml', 'marked@example.org', token!.token]) expect(log).not.toContain(text);
  });

  it('still answers while it gets hostile responses', async () => {
    const deep = (form: Record<string, string>) => ({
      ...form,
      SAMLResponse: Buffer.from('<a>'.repeat(60_000)).toString('base64'),
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => loggedIn({}, deep)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect((await fetch(`${system.api}/healthz`)).status).toBe(200);
  });
});
