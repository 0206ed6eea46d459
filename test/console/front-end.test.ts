import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram } from '../deploy/deployment-files';
import { startFrontEnd, type FrontEnd } from '../deploy/front-end';
import { freePorts, ROOT } from '../system/system-process';
import { describeStories, enterCredentials, expectAccessible, logIn, postAs, visit, type Site } from './browser';

const TITLE = 'The web console behind nginx with TLS';

/** What stands in front of the system, and beside it. */
interface Around {
  provider?: ChildProcess;
  nginx?: FrontEnd;
  /** The ports of nginx, without and with TLS. */
  ports: readonly number[];
}

const around: Around = { ports: [] };

/** The address that users know. Nothing may lead them to another one. */
const address = () => `https://127.0.0.1:${around.ports[1]}`;

/** The system knows its address and the identity provider when it starts. */
async function prepared() {
  around.ports = await freePorts(2);
  const redirect = `${address()}/auth/v1/sso/callback`;
  const program = join(ROOT, 'services/auth/test/sso/oidc-provider-main.mjs');
  around.provider = spawn(process.execPath, [program, 'svc', 'secret', redirect], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const issuer = String((await once(around.provider.stdout!, 'data'))[0]).trim();
  const provider = { issuer, client_id: 'svc', client_secret: 'secret', redirect_uri: redirect };
  const environment = {
    SVC_WEBUI__WEBUI_BASE_URL: `${address()}/`,
    SVC_AUTH__SSO: 'true',
    SVC_AUTH__SSO_BACKEND: 'oidc',
    SVC_AUTH__SSO_BACKEND_KWARGS: JSON.stringify({ ...provider, username_claim: 'preferred_username' }),
  };
  return { environment };
}

function stories(siteOf: () => Site): void {
  beforeAll(async () => {
    const { api, auth, stream } = siteOf().system;
    const [apiPort = 0, authPort = 0, streamPort = 0] = [api, auth, stream].map((url) => Number(new URL(url).port));
    around.nginx = await startFrontEnd({ api: apiPort, auth: authPort, stream: streamPort }, 'https', around.ports);
  });
  afterAll(async () => {
    await around.nginx?.stop();
    around.provider?.stdin?.end();
  });

  it('follow the history live, open the link of an execution, and survive a reload in the middle of it', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${address()}/`);
    await page.goto(`${address()}/#/history?action=core.local`);
    const rowWith = (status: string) => page.getByRole('listitem').filter({ hasText: status }).first();
    // The self-check of the start.
    await rowWith('succeeded').waitFor();
    const mayEnd = join(siteOf().system.directory, 'may-end');
    const cmd = `echo begun; while [ ! -e ${mayEnd} ]; do sleep 0.1; done; echo ended`;
    // Sent past nginx, so that the page can only know of it from the event stream.
    const run = { action: 'core.local', parameters: { cmd } };
    const { id, web_url: link } = await postAs(page, `${siteOf().system.api}/api/v1/executions`, run);
    await rowWith('running').waitFor();

    expect(link).toBe(`${address()}/#/history/${id}/general`);
    await page.goto(link);
    await page.getByRole('tab', { name: 'Output' }).click();
    await page.getByText('begun', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('begun', { exact: true }).waitFor();
    await page.getByText('running', { exact: true }).first().waitFor();
    writeFileSync(mayEnd, '');
    await page.getByText('succeeded', { exact: true }).first().waitFor();
    await page.getByText('ended', { exact: true }).waitFor();
    expect(errors).toEqual([]);
  });

  it('log in at an identity provider, come back to the same address, and log out', async () => {
    const { page } = await visit(siteOf().browser);
    // The page of the provider asks for a font of another site.
    await page.route(/fonts\.googleapis\.com/, (route) => route.abort());
    await page.goto(address());
    await page.getByRole('link', { name: 'Log in with single sign-on' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Log in with single sign-on' }).click();
    await page.getByPlaceholder('Enter any login').fill('ada');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
    expect(new URL(page.url()).origin).toBe(address());
    await page.getByRole('button', { name: 'Log out' }).click();
    await enterCredentials(page);
    await page.getByRole('link', { name: 'testu', exact: true }).waitFor();
  });
}

if (hasProgram('nginx', 'the stories behind nginx are')) describeStories(TITLE, stories, prepared);
else describe.skip(TITLE, () => it('needs nginx', () => undefined));
