import type { ConfigOverrides } from '@switchyard/config';
import { madeAuthService } from '../made-auth-service';
import { madeBrowser, type MadeBrowser } from './made-browser';
import { FORGED, madeProvider } from './made-provider';

const SECRET = 'marked-client-secret';
const CONSOLE = 'https://console.example';

type Provider = Awaited<ReturnType<typeof madeProvider>>;
let provider: Provider;
let made: ReturnType<typeof madeAuthService>;

const kwargs = (issuer: string, others: object = {}) =>
  JSON.stringify({
    issuer,
    client_id: 'svc',
    client_secret: SECRET,
    redirect_uri: 'http://127.0.0.1/auth/v1/sso/callback',
    ...others,
  });

const serviceFor = (issuer: string, others: object = {}, auth: ConfigOverrides['auth'] = {}) =>
  madeAuthService(
    {
      backend_kwargs: JSON.stringify({ file_path: '/nowhere/htpasswd' }),
      sso: true,
      sso_backend: 'oidc',
      sso_backend_kwargs: kwargs(issuer, others),
      ...auth,
    },
    { webui: { webui_base_url: CONSOLE } },
  );

beforeAll(async () => {
  provider = await madeProvider();
  made = serviceFor(provider.issuer);
  await made.service.start();
});
afterAll(async () => {
  await made.service.stop();
  await provider.close();
});

const started = (browser: MadeBrowser, referer?: string, url = made.url()) =>
  browser.request(`${url}/v1/sso/request`, referer === undefined ? {} : { headers: { referer } });

const locationOf = async (browser: MadeBrowser, referer?: string): Promise<string> =>
  (await started(browser, referer)).headers.get('location') ?? '';

const finished = (browser: MadeBrowser, parameters: Record<string, string>, url = made.url()) =>
  browser.request(`${url}/v1/sso/callback?${new URLSearchParams(parameters).toString()}`);

/** Logs in with an ID token that differs from the correct one. */
async function loggedIn(changes: Record<string, unknown> = {}): Promise<[number, string]> {
  const browser = madeBrowser();
  const response = await finished(browser, provider.logIn(await locationOf(browser), changes));
  return [response.status, await response.text()];
}

const failed = (text: string) => [401, JSON.stringify({ faultstring: `Single sign-on failed: ${text}.` })];
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('single sign-on', () => {
  it('is announced', async () => {
    expect(await (await fetch(`${made.url()}/sso`)).json()).toEqual({
      enabled: true,
      login_url: 'http://127.0.0.1/auth/v1/sso/terminal',
    });
  });

  it('sends the browser to the provider, with PKCE, state and nonce', async () => {
    const response = await started(madeBrowser());
    expect(response.status).toBe(307);
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(`${provider.issuer}/authorize`);
    const unguessable = expect.stringMatching(/^[\w-]{43}$/);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'svc',
      redirect_uri: 'http://127.0.0.1/auth/v1/sso/callback',
      response_type: 'code',
      scope: 'openid profile',
      code_challenge_method: 'S256',
      code_challenge: unguessable,
      state: unguessable,
      nonce: unguessable,
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^svc-sso-attempt-[\w-]{16}=[\w-]{43}\.[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=lax$/,
    );
  });

  it('returns a valid token in a cookie, as StackStorm does, and in a page that leads back', async () => {
    const browser = madeBrowser();
    const location = await locationOf(browser, `${CONSOLE}/#/history`);
    const response = await finished(browser, provider.logIn(location));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    const token = JSON.parse(decodeURIComponent(browser.cookies(made.url()).get('st2-auth-token') ?? ''));
    expect(token).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      user: 'ada',
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      expiry: expect.any(String),
      service: false,
      metadata: {},
    });
    expect(response.headers.getSetCookie()[0]).toMatch(/; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=lax$/);
    const page = await response.text();
    const [, data = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(data)).toEqual({ token, returnTo: `${CONSOLE}/#/history` });
    expect(await made.identities.tokens.isValid(token.token)).toBe(true);
    expect(made.audited()).toContainEqual(
      expect.objectContaining({ message: 'Token issued.', user: 'ada', method: 'sso' }),
    );
  });

  it('puts a return address into the page as data, so that it runs no script', async () => {
    const browser = madeBrowser();
    const referer = `${CONSOLE}/?a='</script><script>alert(1)</script>`;
    const page = await (await finished(browser, provider.logIn(await locationOf(browser, referer)))).text();
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toContain('alert(1)</script>');
  });

  it('also accepts the response as a form', async () => {
    const browser = madeBrowser();
    const body = new URLSearchParams(provider.logIn(await locationOf(browser)));
    expect((await browser.request(`${made.url()}/sso/callback`, { method: 'POST', body })).status).toBe(200);
  });
});

describe('the return address', () => {
  it.each([
    'https://evil.example/',
    'https://console.example.evil.example/',
    'https://console.example@evil.example/',
    'https://user@console.example/',
    'http://console.example/',
    'javascript:alert(1)//https://console.example',
    '//console.example',
  ])('%s is refused at the start', async (referer) => {
    const response = await started(madeBrowser(), referer);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { faultstring: string }).faultstring).toMatch(
      /^Single sign-on starts from and returns to known addresses only/,
    );
  });

  it('defaults to the web console', async () => {
    const browser = madeBrowser();
    const page = await (await finished(browser, provider.logIn(await locationOf(browser)))).text();
    expect(page).toContain(`"returnTo":"${CONSOLE}/"`);
  });

  it('is checked again at the end, because the cookie may have been changed', async () => {
    const browser = madeBrowser();
    const parameters = provider.logIn(await locationOf(browser));
    const cookies = browser.cookies(made.url());
    const [[name = '', value = ''] = []] = [...cookies];
    const [secret] = value.split('.');
    const end = JSON.stringify({ returnTo: 'https://evil.example/' });
    cookies.set(name, `${secret}.${Buffer.from(end).toString('base64url')}`);
    const response = await finished(browser, parameters);
    expect([response.status, cookies.has('st2-auth-token')]).toEqual([400, false]);
  });
});

describe('an ID token', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['for somebody else', { aud: 'other' }, 'unexpected JWT "aud" (audience) claim value'],
    [
      'for several without naming this client',
      { aud: ['svc', 'x'], azp: 'x' },
      'unexpected ID Token "azp" (authorized party) claim value',
    ],
    ['from another issuer', { iss: 'https://evil.example' }, 'unexpected JWT "iss" (issuer) claim value'],
    ['with another nonce', { nonce: 'x' }, 'unexpected ID Token "nonce" claim value'],
    ['without a nonce', { nonce: undefined }, 'JWT "nonce" (nonce) claim missing'],
    ['without a subject', { sub: undefined }, 'JWT "sub" (subject) claim missing'],
    ['with a time that is not a number', { iat: 'soon' }, 'unexpected JWT "iat" (issued at) claim type'],
    ['with an empty name', { sub: ' ' }, 'the provider gave no valid name for the user'],
  ])('%s is refused', async (_, changes, text) => {
    expect(await loggedIn(changes)).toEqual(failed(text));
  });

  it('may have times of a slightly wrong clock, but not of one that is far off', async () => {
    const past = 'unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp';
    expect((await loggedIn({ exp: inSeconds(-15) }))[0]).toBe(200);
    expect(await loggedIn({ exp: inSeconds(-60) })).toEqual(failed(past));
    expect((await loggedIn({ nbf: inSeconds(15) }))[0]).toBe(200);
    expect(await loggedIn({ nbf: inSeconds(60) })).toEqual(failed('unexpected JWT "nbf" (not before) claim value'));
  });

  it('is accepted right after the provider has changed its key', async () => {
    expect((await loggedIn())[0]).toBe(200);
    provider.rotateKey();
    expect((await loggedIn())[0]).toBe(200);
  });

  it.each(Object.keys(FORGED) as (keyof typeof FORGED)[])('is refused if it is forged: %s', async (how) => {
    provider.forge(how);
    const [status, text] = await loggedIn();
    provider.forge(undefined);
    expect([status, text]).toEqual([401, expect.stringContaining('Single sign-on failed: ')]);
  });

  it('is refused if it is signed with another key', async () => {
    provider.signWithForeignKey();
    const answer = await loggedIn();
    provider.signWithOwnKey();
    expect(answer).toEqual(failed('JWT signature verification failed'));
  });
});

describe('a repeated response', () => {
  const LOST =
    'the browser has not sent the cookie of this login. It has been used, has expired, or is from another browser';
  const USED = 'the provider does not accept the code. It has been used, has expired, or is from another login';

  it('is refused: the browser has lost the cookie, and the code is used up', async () => {
    const browser = madeBrowser();
    const parameters = provider.logIn(await locationOf(browser));
    const [[name = '', cookie = ''] = []] = [...browser.cookies(made.url())];
    expect((await finished(browser, parameters)).status).toBe(200);
    const again = await finished(browser, parameters);
    expect([again.status, await again.text()]).toEqual(failed(LOST));
    browser.cookies(made.url()).set(name, cookie);
    const withCookie = await finished(browser, parameters);
    expect([withCookie.status, await withCookie.text()]).toEqual(failed(USED));
  });

  it('is refused in another browser, with or without a login of its own', async () => {
    const [browser, other] = [madeBrowser(), madeBrowser()];
    const parameters = provider.logIn(await locationOf(browser));
    expect((await finished(madeBrowser(), parameters)).status).toBe(401);
    const { state } = provider.logIn(await locationOf(other));
    expect((await finished(other, parameters)).status).toBe(401);
    const swapped = await finished(other, { ...parameters, state });
    expect([swapped.status, await swapped.text()]).toEqual(failed(USED));
  });

  it('is refused without a state or a code', async () => {
    const browser = madeBrowser();
    const { code, state } = provider.logIn(await locationOf(browser));
    expect((await finished(browser, { code })).status).toBe(401);
    expect((await finished(browser, { state })).status).toBe(401);
  });
});

describe('several logins in one browser', () => {
  it('do not affect each other, whichever ends first', async () => {
    const browser = madeBrowser();
    const begun = [await locationOf(browser), await locationOf(browser), await locationOf(browser)];
    for (const location of begun.reverse())
      expect((await finished(browser, provider.logIn(location))).status).toBe(200);
    expect([...browser.cookies(made.url()).keys()]).toEqual(['st2-auth-token']);
  });

  it('are limited to four, so that their cookies do not become too large: the oldest is dropped', async () => {
    const browser = madeBrowser();
    const begun: string[] = [];
    for (let count = 0; count < 6; count += 1) begun.push(await locationOf(browser));
    expect(browser.cookies(made.url()).size).toBe(4);
    const statuses: number[] = [];
    for (const location of begun) statuses.push((await finished(browser, provider.logIn(location))).status);
    expect(statuses).toEqual([401, 401, 200, 200, 200, 200]);
  });
});

describe('a provider', () => {
  it('that refuses the user is a 401 with its error code, but with no free text', async () => {
    const browser = madeBrowser();
    const { state } = provider.logIn(await locationOf(browser));
    const denied = await finished(browser, { state, error: 'access_denied', error_description: 'Call 555' });
    expect([denied.status, await denied.text()]).toEqual(failed('the provider responded with access_denied'));
    const strange = await finished(browser, { state, error: '<b>Call 555</b>' });
    expect([strange.status, await strange.text()]).toEqual(failed('the provider responded with an unknown error'));
  });

  it('that refuses this system is a 503', async () => {
    provider.behaviour.error = 'invalid_client';
    const [status, body] = await loggedIn();
    provider.behaviour.error = undefined;
    expect([status, body]).toEqual([503, expect.stringContaining('the provider responded with invalid_client')]);
  });

  it('that fails during the login is a 503', async () => {
    const browser = madeBrowser();
    const parameters = provider.logIn(await locationOf(browser));
    provider.behaviour.status = 502;
    const response = await finished(browser, parameters);
    provider.behaviour.status = 200;
    expect(response.status).toBe(503);
  });

  it('that is unavailable is a 503 with the reason, until it is back', async () => {
    const gone = await madeProvider();
    await gone.close();
    const away = serviceFor(gone.issuer);
    await away.service.start();
    const response = await started(madeBrowser(), undefined, away.url());
    await away.service.stop();
    expect(response.status).toBe(503);
    expect(((await response.json()) as { faultstring: string }).faultstring).toMatch(
      /^Single sign-on does not work at the moment: .*ECONNREFUSED/,
    );

    provider.behaviour.status = 500;
    const other = serviceFor(provider.issuer);
    await other.service.start();
    const before = (await started(madeBrowser(), undefined, other.url())).status;
    provider.behaviour.status = 200;
    const after = (await started(madeBrowser(), undefined, other.url())).status;
    await other.service.stop();
    expect([before, after]).toEqual([503, 307]);
  });

  it('that has another issuer name is a 503', async () => {
    provider.behaviour.issuer = 'https://evil.example';
    const other = serviceFor(provider.issuer);
    await other.service.start();
    const response = await started(madeBrowser(), undefined, other.url());
    provider.behaviour.issuer = undefined;
    await other.service.stop();
    expect(response.status).toBe(503);
  });

  it('is read only once for many logins', async () => {
    const other = serviceFor(provider.issuer);
    await other.service.start();
    provider.requests.length = 0;
    await Promise.all(Array.from({ length: 10 }, () => started(madeBrowser(), undefined, other.url())));
    await other.service.stop();
    expect(provider.requests).toEqual(['/.well-known/openid-configuration']);
  });
});

describe('the log', () => {
  it('contains no secret, token, code or state, whatever happens', () => {
    const log = made.lines().join('\n');
    expect(log).toContain('"message":"Login refused."');
    expect(log).toContain('Single sign-on failed');
    for (const marked of [SECRET, 'marked-access-token', 'eyJ', 'client-secret']) expect(log).not.toContain(marked);
    expect(log).not.toMatch(/"code":"[0-9a-f]{8}-/);
  });
});

describe('a configuration', () => {
  const OK = {
    issuer: 'https://id.example',
    client_id: 'svc',
    redirect_uri: 'https://svc.example/auth/v1/sso/callback',
  };
  it.each<[object, string]>([
    [
      { sso_backend: 'noop' },
      'auth.sso = true needs auth.sso_backend. "noop" is not available, the backends are: oidc, saml2',
    ],
    [{ sso_backend_kwargs: '{}' }, 'auth.sso_backend_kwargs of the backend oidc: "issuer": expected an https address'],
    [{ sso_backend_kwargs: JSON.stringify({ ...OK, issuer: 'http://id.example' }) }, '"issuer": expected an https'],
    [
      { sso_backend_kwargs: JSON.stringify({ ...OK, scope: 'profile' }) },
      '"scope": expected scopes with openid, got "profile"',
    ],
    [
      { sso_backend_kwargs: JSON.stringify({ ...OK, clock_tolerance: 900 }) },
      '"clock_tolerance": expected seconds from 0 to 300',
    ],
    [
      { sso_backend_kwargs: JSON.stringify({ ...OK, client_secret: 5 }) },
      '"client_secret": expected a text, got number',
    ],
    [
      { sso_backend_kwargs: JSON.stringify({ ...OK, secret: 'x' }) },
      '"secret": expected one of the arguments issuer, client_id',
    ],
  ])('with %j is refused', (auth, message) => {
    expect(() => serviceFor('https://id.example', {}, auth)).toThrow(message);
  });
});
