import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { newId } from '@switchyard/base';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { madeAuthService } from '../made-auth-service';
import { madeBrowser, type MadeBrowser } from './made-browser';

const CLIENT = { client_id: 'svc', client_secret: 'marked-client-secret-of-the-real-provider' };
/** The public address. The test acts as the proxy behind it. */
const REDIRECT = 'http://127.0.0.1/auth/v1/sso/callback';

let platform: TestPlatform;
let issuer: string;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  const mapping = { _id: newId(), group: 'ops', roles: ['deployers'], source: 'mappings/ops.yaml', enabled: true };
  await platform.store.groupMappings.insert(mapping);
  const main = join(__dirname, 'oidc-provider-main.mjs');
  const child = spawn(process.execPath, [main, CLIENT.client_id, CLIENT.client_secret, REDIRECT], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  later(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  issuer = String((await once(child.stdout, 'data'))[0]).trim();
});
const settings = { ...CLIENT, redirect_uri: REDIRECT, username_claim: 'preferred_username' };
const serviceWith = (kwargs: object) =>
  madeAuthService(
    {
      backend_kwargs: JSON.stringify({ file_path: '/nowhere/htpasswd' }),
      sso: true,
      sso_backend: 'oidc',
      sso_backend_kwargs: JSON.stringify({ ...settings, issuer, groups_claim: 'groups', ...kwargs }),
    },
    { rbac: { enable: true, backend: 'default', sync_remote_groups: true } },
    { store: platform.store },
  );

/** Logs in at the provider, as its forms ask. @returns the address that the provider sends the browser to */
async function loggedInAtProvider(browser: MadeBrowser, start: string, user: string): Promise<string> {
  let address = start;
  for (let steps = 0; steps < 15 && !address.startsWith(REDIRECT); steps += 1) {
    const response = await browser.request(address);
    const location = response.headers.get('location') ?? (await afterForm(browser, response, address, user));
    address = new URL(location, address).href;
  }
  return address;
}

async function afterForm(browser: MadeBrowser, response: Response, address: string, user: string): Promise<string> {
  const page = await response.text();
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
  const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
  const body = new URLSearchParams({ prompt, login: user, password: 'any' });
  const answer = await browser.request(new URL(action, address).href, { method: 'POST', body });
  return answer.headers.get('location') ?? '';
}

/** @returns the response to the returning browser, and a function that repeats its request */
async function loggedIn(made: ReturnType<typeof serviceWith>, user: string) {
  const browser = madeBrowser();
  const start = await browser.request(`${made.url()}/v1/sso/request`);
  const cookies = browser.cookies(made.url());
  const [[name = '', attempt = ''] = []] = [...cookies];
  const back = await loggedInAtProvider(browser, start.headers.get('location') ?? '', user);
  const address = back.replace('http://127.0.0.1/auth', made.url());
  const again = () => {
    cookies.set(name, attempt);
    return browser.request(address);
  };
  return { response: await browser.request(address), cookies, again };
}

it('logs in a user with a real provider, and the roles follow the groups', async () => {
  const made = serviceWith({});
  await made.service.start();
  const { response, cookies } = await loggedIn(made, 'ada');
  const token = JSON.parse(decodeURIComponent(cookies.get('st2-auth-token') ?? 'null'));
  await made.service.stop();
  expect(response.status).toBe(200);
  expect(token).toMatchObject({ user: 'ada', service: false });
  expect((await platform.store.roleAssignments.ofUser('ada')).map(({ role }) => role)).toEqual(['deployers']);
  expect(made.audited()).toContainEqual(
    expect.objectContaining({ message: 'Roles follow groups.', user: 'ada', groups: ['ops', 'dev'] }),
  );
  expect(made.lines().join('\n')).not.toContain(CLIENT.client_secret);
});

it('refuses a repeated response of a real provider', async () => {
  const made = serviceWith({});
  await made.service.start();
  const { again } = await loggedIn(made, 'ada');
  const response = await again();
  await made.service.stop();
  expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('does not accept the code')]);
});

it('reports that a real provider refuses a wrong client secret, without showing it', async () => {
  const made = serviceWith({ client_secret: 'marked-wrong-secret' });
  await made.service.start();
  const { response } = await loggedIn(made, 'ada');
  await made.service.stop();
  expect([response.status, await response.text()]).toEqual([
    503,
    expect.stringContaining('Single sign-on does not work'),
  ]);
  expect(made.lines().join('\n')).not.toContain('marked-wrong-secret');
});
