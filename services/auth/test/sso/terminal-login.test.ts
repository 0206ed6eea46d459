import { createHash, randomBytes } from 'node:crypto';
import { challengeOf, userCodeOf } from '@switchyard/model';
import { madeAuthService } from '../made-auth-service';
import { madeBrowser, type MadeBrowser } from './made-browser';
import { madeProvider } from './made-provider';

let provider: Awaited<ReturnType<typeof madeProvider>>;
let made: ReturnType<typeof madeAuthService>;
/** A second replica on the same store. */
let replica: ReturnType<typeof madeAuthService>;

beforeAll(async () => {
  provider = await madeProvider();
  const auth = {
    backend_kwargs: JSON.stringify({ file_path: '/nowhere/htpasswd' }),
    sso: true,
    sso_backend: 'oidc',
    sso_backend_kwargs: JSON.stringify({
      issuer: provider.issuer,
      client_id: 'svc',
      redirect_uri: 'http://127.0.0.1/auth/v1/sso/callback',
    }),
  };
  made = madeAuthService(auth);
  replica = madeAuthService(auth, {}, { store: made.store });
  await made.service.start();
  await replica.service.start();
});
afterAll(async () => {
  await made.service.stop();
  await replica.service.stop();
  await provider.close();
});

const random = () => randomBytes(32).toString('base64url');

/** The state of `svc login --sso` before it sends the user to a browser. */
function aLogin() {
  const [verifier, state] = [random(), random()];
  const challenge = challengeOf(verifier);
  return { verifier, state, code: userCodeOf(challenge), onPort: { port: '50123', state, challenge } };
}

const started = (browser: MadeBrowser, parameters: Record<string, string>) =>
  browser.request(`${made.url()}/v1/sso/terminal?${new URLSearchParams(parameters).toString()}`);

/** Logs in at the provider. @returns the page that asks for a confirmation */
async function loggedIn(browser: MadeBrowser, parameters: Record<string, string>, sub = 'ada'): Promise<string> {
  const location = (await started(browser, parameters)).headers.get('location') ?? '';
  const back = new URLSearchParams(provider.logIn(location, { sub })).toString();
  return (await browser.request(`${replica.url()}/v1/sso/callback?${back}`, cookiesOf(browser))).text();
}

/** Both replicas have one public address, so the browser sends its cookies to both. */
const cookiesOf = (browser: MadeBrowser) => {
  for (const [name, value] of browser.cookies(made.url())) browser.cookies(replica.url()).set(name, value);
  return {};
};

const secretOf = (page: string): string => /name="secret" value="([^"]+)"/.exec(page)?.[1] ?? '';

const confirmed = (page: string, browser = madeBrowser()) =>
  browser.request(`${made.url()}/v1/sso/terminal`, {
    method: 'POST',
    body: new URLSearchParams({ secret: secretOf(page) }),
  });

async function fetched(proof: object, url = replica.url()): Promise<[number, Record<string, string>]> {
  const response = await fetch(`${url}/v1/sso/terminal/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(proof),
  });
  return [response.status, (await response.json()) as Record<string, string>];
}

const PENDING = [
  404,
  {
    faultstring:
      'There is no finished login with this code. Nobody has confirmed it yet, or it has already been used or has expired.',
  },
];

describe('a terminal login', () => {
  it('is announced with the address for the browser', async () => {
    const answer = await (await fetch(`${made.url()}/sso`)).json();
    expect(answer).toEqual({ enabled: true, login_url: 'http://127.0.0.1/auth/v1/sso/terminal' });
  });

  it('returns a token for the code that the browser sends to the port, in any replica and with no token in a URL', async () => {
    const { verifier, state, code, onPort } = aLogin();
    const browser = madeBrowser();
    const page = await loggedIn(browser, onPort);
    expect(page).toContain(`<code>${code}</code>`);
    expect(page).toContain('<b>ada</b>');
    const response = await confirmed(page, browser);
    const address = new URL(response.headers.get('location') ?? '');
    expect([response.status, address.origin, address.pathname]).toEqual([303, 'http://127.0.0.1:50123', '/']);
    expect(Object.fromEntries(address.searchParams)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state });
    const [status, token] = await fetched({ verifier, code: address.searchParams.get('code'), ttl: 60 });
    expect([status, token]).toEqual([201, expect.objectContaining({ user: 'ada', service: false })]);
    expect(await made.identities.tokens.isValid(token['token'] ?? '')).toBe(true);
    expect(Date.parse(token['expiry'] ?? '')).toBeLessThanOrEqual(Date.now() + 61_000);
    expect(browser.cookies(made.url()).has('st2-auth-token')).toBe(false);
  });

  it('returns a token to the polling command, once its code has been confirmed', async () => {
    const { verifier, code } = aLogin();
    expect(await fetched({ verifier })).toEqual(PENDING);
    const page = await loggedIn(madeBrowser(), { code: code.toLowerCase().replaceAll('-', ' ') });
    expect(await fetched({ verifier })).toEqual(PENDING);
    const response = await confirmed(page);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Logged in as <b>ada</b>')]);
    expect((await fetched({ verifier }))[0]).toBe(201);
  });

  it('prompts for the code if the address has none', async () => {
    const response = await started(madeBrowser(), {});
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<input name="code"')]);
  });

  it.each<Record<string, string>>([
    { code: 'ABCD' },
    { code: 'ABCD-EFGH-JKMU' },
    { port: '0', state: random(), challenge: random() },
    { port: '65536', state: random(), challenge: random() },
    { port: '80', state: 'x', challenge: random() },
    { port: '80', state: random() },
    { port: '80@evil.example', state: random(), challenge: random() },
  ])('is refused with the parameters %j', async (parameters) => {
    const response = await started(madeBrowser(), parameters);
    expect([response.status, response.headers.has('location')]).toEqual([400, false]);
  });

  it('escapes the name of the user', async () => {
    const page = await loggedIn(madeBrowser(), aLogin().onPort, '<script>alert(1)</script>');
    expect(page).toContain('<b>&lt;script&gt;alert(1)&lt;/script&gt;</b>');
  });
});

describe('an attacker', () => {
  it('who has the code from the port, but not the secret of the command, gets no token and does not invalidate the code', async () => {
    const { verifier, onPort } = aLogin();
    const address = (await confirmed(await loggedIn(madeBrowser(), onPort))).headers.get('location') ?? '';
    const code = new URL(address).searchParams.get('code') ?? '';
    expect(await fetched({ verifier: random(), code })).toEqual(PENDING);
    expect(await fetched({ verifier: code })).toEqual(PENDING);
    expect((await fetched({ verifier, code }))[0]).toBe(201);
  });

  it('who repeats the proof of the command gets no second token, not even at the same time', async () => {
    const { verifier, onPort } = aLogin();
    const address = (await confirmed(await loggedIn(madeBrowser(), onPort))).headers.get('location') ?? '';
    const code = new URL(address).searchParams.get('code') ?? '';
    const all = await Promise.all([made.url(), replica.url()].flatMap((url) => [fetched({ verifier, code }, url), fetched({ verifier, code }, url)])); // oxfmt-ignore
    expect(all.map(([status]) => status).sort()).toEqual([201, 404, 404, 404]);
  });

  it('who logs in cannot pass the login to the command of somebody else', async () => {
    const [victim, attacker] = [aLogin(), aLogin()];
    const address = (await confirmed(await loggedIn(madeBrowser(), attacker.onPort, 'eve'))).headers.get('location');
    const code = new URL(address ?? '').searchParams.get('code') ?? '';
    expect(await fetched({ verifier: victim.verifier, code })).toEqual(PENDING);
  });

  it('who knows a code cannot fetch its token, and a second login with it is refused', async () => {
    const { verifier, code } = aLogin();
    await confirmed(await loggedIn(madeBrowser(), { code }));
    for (const guess of [random(), createHash('sha256').update(code).digest('base64url')])
      expect(await fetched({ verifier: guess })).toEqual(PENDING);
    expect((await fetched({ verifier: code }))[0]).toBe(400);
    const second = await confirmed(await loggedIn(madeBrowser(), { code }, 'eve'));
    expect([second.status, await second.text()]).toEqual([409, expect.stringContaining(code)]);
    expect(await fetched({ verifier })).toEqual([201, expect.objectContaining({ user: 'ada' })]);
  });

  it('who sends a link gets nothing before the user confirms, and cannot confirm for the user', async () => {
    const attacker = aLogin();
    const browser = madeBrowser();
    const page = await loggedIn(browser, { code: attacker.code });
    expect(page).toContain('somebody else would be logged in as you');
    for (const secret of ['', random(), attacker.verifier, browser.cookies(made.url()).get('svc-sso-attempt') ?? 'x']) {
      const body = new URLSearchParams({ secret });
      const forged = await browser.request(`${made.url()}/sso/terminal`, { method: 'POST', body });
      expect(forged.status).toBe(404);
    }
    expect(await fetched({ verifier: attacker.verifier })).toEqual(PENDING);
  });

  it('cannot put the page into a frame, and no cache or other site gets its address', async () => {
    const response = await started(madeBrowser(), {});
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  it('cannot confirm a page twice', async () => {
    const page = await loggedIn(madeBrowser(), aLogin().onPort);
    expect((await confirmed(page)).status).toBe(303);
    const again = await confirmed(page);
    expect([again.status, await again.text()]).toEqual([
      404,
      expect.stringContaining('has already been used or has expired'),
    ]);
  });

  it('finds no secret in the log', async () => {
    const { verifier, code } = aLogin();
    const page = await loggedIn(madeBrowser(), { code });
    await confirmed(page);
    const [, { token = '' }] = await fetched({ verifier });
    const log = [...made.lines(), ...replica.lines()].join('\n');
    expect(log).toContain('"message":"Terminal login confirmed."');
    for (const secret of [verifier, secretOf(page), token]) expect(log).not.toContain(secret);
  });
});

describe('while single sign-on is off', () => {
  it('the routes report that', async () => {
    const off = madeAuthService({ backend_kwargs: JSON.stringify({ file_path: '/nowhere/htpasswd' }) });
    await off.service.start();
    const answers = [
      await fetch(`${off.url()}/sso/terminal`),
      await fetch(`${off.url()}/sso/terminal`, { method: 'POST', body: new URLSearchParams({ secret: 'x' }) }),
    ].map(async (response) => [response.status, await response.json()]);
    const token = await fetched({ verifier: random() }, off.url());
    await off.service.stop();
    const OFF = [404, { faultstring: 'Single sign-on is not enabled.' }];
    expect([...(await Promise.all(answers)), token]).toEqual([OFF, OFF, OFF]);
  });
});
