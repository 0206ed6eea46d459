import { challengeOf, userCodeOf } from '@switchyard/model';
import { newId } from '@switchyard/base';
import type { ConfigOverrides } from '@switchyard/config';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { madeAuthService } from '../made-auth-service';
import { madeBrowser, type MadeBrowser } from './made-browser';
import { madeSamlProvider, type Deviation } from './made-saml-provider';

/** The public address. The test acts as the proxy behind it. */
const ENTITY = 'http://127.0.0.1';

let provider: Awaited<ReturnType<typeof madeSamlProvider>>;
let made: ReturnType<typeof madeAuthService>;
let platform: TestPlatform;
const later = leakCheck('all');

const serviceFor = (kwargs: object, others: ConfigOverrides = {}) =>
  madeAuthService(
    {
      backend_kwargs: JSON.stringify({ file_path: '/nowhere/htpasswd' }),
      sso: true,
      sso_backend: 'saml2',
      sso_backend_kwargs: JSON.stringify({
        entity_id: ENTITY,
        metadata_url: provider.metadataUrl,
        groups_attribute: 'Groups',
        ...kwargs,
      }),
    },
    { rbac: { enable: true, backend: 'default', sync_remote_groups: true }, ...others },
    { store: platform.store },
  );

beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  provider = await madeSamlProvider();
  later(() => provider.close());
  const mapping = { _id: newId(), group: 'ops', roles: ['deployers'], source: 'mappings/ops.yaml', enabled: true };
  await platform.store.groupMappings.insert(mapping);
  made = serviceFor({ debug: true });
  await made.service.start();
  later(() => made.service.stop());
});

const started = async (browser: MadeBrowser, url = made.url()): Promise<string> =>
  (await browser.request(`${url}/sso/request`)).headers.get('location') ?? '';

const finished = (browser: MadeBrowser, form: Record<string, string>, url = made.url()) =>
  browser.request(`${url}/sso/callback`, { method: 'POST', body: new URLSearchParams(form) });

/** @param change a modification of the response in transit */
async function loggedIn(deviation: Deviation = {}, change = (xml: string) => xml): Promise<[number, string]> {
  const browser = madeBrowser();
  const form = await provider.logIn(await started(browser), deviation);
  const xml = change(Buffer.from(form.SAMLResponse, 'base64').toString());
  const response = await finished(browser, { ...form, SAMLResponse: Buffer.from(xml).toString('base64') });
  const text = await response.text();
  const { user } = JSON.parse(decodeURIComponent(browser.cookies(made.url()).get('st2-auth-token') ?? '{}'));
  return [response.status, user ?? (JSON.parse(text) as { faultstring: string }).faultstring];
}

const failed = (text: string) => [401, `Single sign-on failed: ${text}.`];
const UNSIGNED = 'the response is not signed by the provider';
const INVALID = 'the assertion is not signed by the provider, or its signature is not valid';

describe('a login with a real SAML provider', () => {
  it('requests an assertion in the query, with a cookie that browsers send with a form', async () => {
    const response = await madeBrowser().request(`${made.url()}/sso/request`);
    const location = new URL(response.headers.get('location') ?? '');
    expect([response.status, location.origin + location.pathname]).toEqual([307, `${provider.issuer}/login`]);
    expect([...location.searchParams.keys()]).toEqual(['SAMLRequest', 'RelayState']);
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; Secure; SameSite=none$/);
  });

  it('issues a token for the user in the attribute Username, as StackStorm does, with the roles of the groups', async () => {
    const attributes = { Username: 'ada', Email: 'a@example.org', Groups: ['ops', 'dev'] };
    expect(await loggedIn({ attributes })).toEqual([200, 'ada']);
    expect((await platform.store.roleAssignments.ofUser('ada')).map(({ role }) => role)).toEqual(['deployers']);
    expect(await loggedIn({ attributes: { Username: 'ada', Groups: 'other' } })).toEqual([200, 'ada']);
    expect(await platform.store.roleAssignments.ofUser('ada')).toEqual([]);
  });

  it('also logs in svc', async () => {
    const verifier = 'v'.repeat(43);
    const browser = madeBrowser();
    const code = userCodeOf(challengeOf(verifier));
    const start = await browser.request(`${made.url()}/sso/terminal?code=${code}`);
    const page = await (await finished(browser, await provider.logIn(start.headers.get('location') ?? ''))).text();
    const [, secret = ''] = /name="secret" value="([^"]+)"/.exec(page) ?? [];
    await browser.request(`${made.url()}/sso/terminal`, { method: 'POST', body: new URLSearchParams({ secret }) });
    const headers = { 'content-type': 'application/json' };
    const token = await fetch(`${made.url()}/sso/terminal/token`, { method: 'POST', headers, body: JSON.stringify({ verifier }) }); // oxfmt-ignore
    expect(await token.json()).toMatchObject({ user: 'ada' });
  });

  it('works right after the provider has changed its key, and not with the former key', async () => {
    const browser = madeBrowser();
    const before = await provider.logIn(await started(browser));
    await provider.rotateKey();
    expect(await loggedIn()).toEqual([200, 'ada']);
    const response = await finished(browser, before);
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining(UNSIGNED)]);
  });
});

describe('a response', () => {
  it.each<[string, Deviation, string]>([
    ['for another system', { audience: 'https://other.example' }, 'the assertion is for another system (audience)'],
    ['for another address', { recipient: `${ENTITY}/other` }, 'the assertion is for another address (recipient)'],
    ['of another provider', { issuer: 'https://other.example' }, 'the assertion is from another provider (issuer)'],
    ['to another request', { inResponseTo: '_other' }, 'the response belongs to another login, or to none'],
    ['to no request', { inResponseTo: '' }, 'the response belongs to another login, or to none'],
    ['without a signature', { signResponse: false, signAssertion: false }, UNSIGNED],
    ['with a signature of its assertion only', { signResponse: false }, UNSIGNED],
    ['with an assertion without a signature', { signAssertion: false }, INVALID],
    ['signed by somebody else', { foreignKey: true }, UNSIGNED],
    ['signed with SHA-1', { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' }, 'the response is signed with SHA-1, which is not safe'], // oxfmt-ignore
    ['without the user', { attributes: { Email: 'x' } }, 'expected one string in the attribute "Username", got none'],
    [
      'with two users',
      { attributes: { Username: ['a', 'b'] } },
      'expected one string in the attribute "Username", got 2',
    ],
    [
      'with a name that is too long',
      { attributes: { Username: 'x'.repeat(1025) } },
      'the provider gave no valid name for the user',
    ],
    ['of a failure', { error: { code: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed', description: 'Call 555' } }, 'the provider responded with AuthnFailed'], // oxfmt-ignore
  ])('%s is refused', async (_, deviation, text) => {
    expect(await loggedIn(deviation)).toEqual(failed(text));
  });

  it('may name hundreds of groups', async () => {
    const Groups = Array.from({ length: 900 }, (_, at) => `group-${at}`);
    expect(await loggedIn({ attributes: { Username: 'ada', Groups } })).toEqual([200, 'ada']);
  });

  it('may have times of a slightly wrong clock, but not of one that is far off', async () => {
    expect(await loggedIn({ lifetimeInSeconds: -15 })).toEqual([200, 'ada']);
    expect(await loggedIn({ lifetimeInSeconds: -60 })).toEqual(failed('the assertion has expired'));
    expect(await loggedIn({ clockSeconds: 15 })).toEqual([200, 'ada']);
    expect(await loggedIn({ clockSeconds: 60 })).toEqual(failed('the assertion is not valid yet'));
  });

  it('is too old after ten minutes, whatever lifetime it states', async () => {
    const aged = await loggedIn({ clockSeconds: -700, lifetimeInSeconds: 86_400 });
    expect(aged).toEqual(failed('the assertion has expired'));
  });
});

describe('an attacker who changes a response', () => {
  const EVE = (xml: string) => xml.replaceAll('>ada<', '>eve<');
  const idOf = (xml: string) => / ID="([^"]+)"/.exec(xml)?.[1] ?? '';
  const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
  const signatureOf = (xml: string) => /<Signature .*?<\/Signature>/.exec(xml)?.[0] ?? '';
  const withoutSignatures = (xml: string) => xml.replace(/<Signature .*?<\/Signature>/g, '');
  /** The signed element still exists, but not in the expected place. */
  const WRAPPED: readonly [string, (xml: string) => string][] = [
    ['in an extension of another response', (xml) => EVE(xml).replaceAll(idOf(xml), '_evil').replace('<samlp:Status>', `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`)], // oxfmt-ignore
    ['in an extension of another response with its id', (xml) => EVE(xml).replace('<samlp:Status>', `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`)], // oxfmt-ignore
    ['in the signature of another response', (xml) => EVE(xml).replace(signatureOf(xml), signatureOf(xml).replace('</Signature>', `<Object>${withoutSignatures(xml)}</Object></Signature>`)).replace(idOf(xml), '_evil')], // oxfmt-ignore
    ['beside another assertion before it', (xml) => xml.replace(assertionOf(xml), EVE(withoutSignatures(assertionOf(xml))).replace(idOf(assertionOf(xml)), '_evil') + assertionOf(xml))], // oxfmt-ignore
    ['beside another assertion after it', (xml) => xml.replace(assertionOf(xml), assertionOf(xml) + EVE(withoutSignatures(assertionOf(xml))).replace(idOf(assertionOf(xml)), '_evil'))], // oxfmt-ignore
    ['in another assertion', (xml) => xml.replace(assertionOf(xml), EVE(assertionOf(xml)).replace(idOf(assertionOf(xml)), '_evil').replace('<saml:Subject>', `<saml:Advice>${assertionOf(xml)}</saml:Advice><saml:Subject>`))], // oxfmt-ignore
    ['nowhere', (xml) => EVE(withoutSignatures(xml))],
    ['where it was, with another name', EVE],
  ];

  it.each(WRAPPED)('and leaves the signed part %s is refused', async (_, change) => {
    const [status, text] = await loggedIn({}, change);
    expect([status, text]).toEqual([401, expect.stringMatching(/^Single sign-on failed: .*signed by the provider/)]);
  });

  it('with a comment cannot truncate the name of a user', async () => {
    const attributes = { Username: 'ada.evil' };
    const change = (xml: string) => xml.replaceAll('ada.evil', 'ada<!-- -->.evil');
    expect(await loggedIn({ attributes }, change)).toEqual([200, 'ada.evil']);
  });

  it.each<[string, (xml: string) => string]>([
    ['entities', (xml) => `<!DOCTYPE x [<!ENTITY a "eve"><!ENTITY b "&a;&a;&a;">]>${xml.replaceAll('>ada<', '>&b;<')}`],
    ['a file', (xml) => `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${xml.replaceAll('>ada<', '>&a;<')}`],
    ['an external document type', (xml) => `<!doctype x SYSTEM "http://127.0.0.1:1/x.dtd">${xml}`],
  ])('so that it declares %s is refused before it is parsed', async (_, change) => {
    expect(await loggedIn({}, change)).toEqual(failed('the response has a document type, which is not accepted'));
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'there is no SAMLResponse'],
    ['half an element', '<x', 'the response is not well-formed XML'],
    ['another document', '<x/>', 'the response belongs to another login, or to none'],
    ['elements that do not end', '<a><b></a></b>', 'the response is not well-formed XML'],
    ['deep nesting', '<a>'.repeat(60_000), 'the response is nested more than 100 levels deep'],
    ['many elements', `<a>${'<b/>'.repeat(1000)}</a>`, 'the response has more than 1000 elements'],
    ['many comments', `<a>${'<!-- -->'.repeat(1000)}</a>`, 'the response has more than 1000 elements'],
    ['many instructions', `<a>${'<?x?>'.repeat(1000)}</a>`, 'the response has more than 1000 elements'],
    ['many sections of text', `<a>${'<![CDATA[x]]>'.repeat(1000)}</a>`, 'the response has more than 1000 elements'],
    ['many elements with attributes', `<a>${`<b ${Array.from({ length: 90 }, (_, at) => `a${at}=""`).join(' ')}/>`.repeat(45)}</a>`, 'the response has too many attributes'], // oxfmt-ignore
    ['many attributes', `<a ${Array.from({ length: 9000 }, (_, at) => `a${at}="x"`).join(' ')}/>`, 'the response has an element with too many attributes'], // oxfmt-ignore
    ['much text', 'x'.repeat(256 * 1024), 'the SAMLResponse has more than 262144 characters'],
  ])('into %s is refused', async (_, xml, text) => {
    expect(await loggedIn({}, () => xml)).toEqual(failed(text));
  });
});

describe('a repeated response', () => {
  const LOST = 'the browser has not sent the cookie of this login';

  it('is refused: the browser has lost the cookie, and another one never had it', async () => {
    const [browser, other] = [madeBrowser(), madeBrowser()];
    const form = await provider.logIn(await started(browser));
    const theirs = await provider.logIn(await started(other));
    expect((await finished(browser, form)).status).toBe(200);
    for (const again of [browser, other, madeBrowser()]) {
      const response = await finished(again, form);
      expect([response.status, await response.text()]).toEqual([401, expect.stringContaining(LOST)]);
    }
    const swapped = await finished(other, { ...form, RelayState: theirs.RelayState });
    expect([swapped.status, await swapped.text()]).toEqual([401, expect.stringContaining('another login')]);
  });

  it('is refused if it was not requested', async () => {
    const form = await provider.logIn(await started(madeBrowser()));
    for (const unasked of [form, { SAMLResponse: form.SAMLResponse }, {}])
      expect((await finished(madeBrowser(), unasked as Record<string, string>)).status).toBe(401);
  });
});

describe('a provider', () => {
  it('that is unavailable is a 503 with the reason', async () => {
    const gone = await madeSamlProvider();
    await gone.close();
    const away = serviceFor({ metadata_url: gone.metadataUrl });
    await away.service.start();
    const response = await madeBrowser().request(`${away.url()}/sso/request`);
    await away.service.stop();
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('ECONNREFUSED')]);
  });

  it('without metadata at the address is a 503', async () => {
    const wrong = serviceFor({ metadata_url: `${provider.issuer}/other` });
    await wrong.service.start();
    const response = await madeBrowser().request(`${wrong.url()}/sso/request`);
    await wrong.service.stop();
    expect(response.status).toBe(503);
  });
});

describe('the log', () => {
  it('contains, with debug, the structure of the response without its values, and the reason for a refusal', () => {
    const log = made.lines().join('\n');
    expect(log).toContain('"message":"SAML response accepted.","provider"');
    expect(log).toContain('"attributes":["Username","Email"]');
    expect(log).toContain('"reason":"SAML assertion audience mismatch.');
    for (const marked of ['ada@example.org', 'SAMLResponse":', '<saml', 'PHNhbWxw']) expect(log).not.toContain(marked);
  });

  it('contains neither without debug', async () => {
    const quiet = serviceFor({});
    await quiet.service.start();
    const browser = madeBrowser();
    await finished(browser, await provider.logIn(await started(browser, quiet.url())), quiet.url());
    await quiet.service.stop();
    expect(quiet.lines().join('\n')).not.toContain('SAML response');
  });
});

describe('a configuration', () => {
  it('without secure cookies is refused, because browsers would drop the cookie of a login', () => {
    expect(() => serviceFor({}, { api: { auth_cookie_secure: false } })).toThrow('saml2 needs api.auth_cookie_secure');
  });

  it.each<[object, string]>([
    [{ entity_id: null }, '"entity_id": expected an https address without query and fragment'],
    [{ entity_id: 'http://svc.example' }, '"entity_id": expected an https address'],
    [{ entity_id: 'https://svc.example?x' }, '"entity_id": expected an https address'],
    [{ metadata_url: 'http://id.example/metadata' }, '"metadata_url": expected an https address'],
    [{ metadata_url: 'file:///metadata.xml' }, '"metadata_url": expected an https address'],
    [{ debug: 'yes' }, '"debug": expected true or false'],
    [{ idp_cert: 'x' }, '"idp_cert": expected one of the arguments entity_id, metadata_url, debug'],
  ])('with %j is refused', (kwargs, message) => {
    expect(() => serviceFor(kwargs)).toThrow(message);
  });
});
