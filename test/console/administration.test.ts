import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { login } from '../system/api-caller';
import { startSystem } from '../system/system-process';
import { accessibilityFindings, describeStories, logIn, visit, type Site } from './browser';
import { translationStories } from './translation-stories';

const ROLES_ON = '[rbac]\nenable = True\nbackend = default\n';

const ROLE_FILES = {
  'assignments/testu.yaml': 'username: testu\nroles: [admin]\n',
  'assignments/other.yaml': 'username: other\nroles: [observer, echoers]\n',
  'roles/echoers.yaml':
    'name: echoers\npermission_grants:\n  - resource_uid: action:core:echo\n    permission_types: [action_execute]\n',
};

const RULE = {
  name: 'nightly',
  pack: 'default',
  enabled: true,
  trigger: { type: 'core.st2.webhook', parameters: { url: 'nightly' } },
  action: { ref: 'core.noop' },
};

function stories(siteOf: () => Site): void {
  const goTo = async (page: Page, key: string, title: string): Promise<void> => {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  };

  /** The status of a request with an API key. */
  const statusWith = async (key: string, path = 'actions/core.echo'): Promise<number> =>
    (await fetch(`${siteOf().system.api}/api/v1/${path}`, { headers: { 'svc-api-key': key } })).status;

  it('create an API key with limits, show it once, disable and delete it', async () => {
    const { page, errors } = await visit(siteOf().browser, { colorScheme: 'dark' });
    await logIn(page, `${siteOf().system.api}/`);
    await goTo(page, 'y', 'API keys');
    await page.getByText('Programs use them instead of a password.').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Purpose').fill('chat bot');
    const permissions = page.getByRole('textbox', { name: 'Permissions' });
    await permissions.fill('action_view@pack:core');
    await permissions.press('Enter');
    await page.getByLabel('Expires').fill('2099-12-31T12:00');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('It is not shown again.').waitFor();
    const key = (await page.getByRole('dialog').locator('pre').innerText()).trim();
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    expect([await statusWith(key), await statusWith(key, 'rules')]).toEqual([200, 403]);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(key);

    const row = page.getByRole('row', { name: 'chat bot' });
    await row.getByText('action_view@pack:core').waitFor();
    await row.getByText('Dec 31, 2099').waitFor();
    await page.reload();
    await row.getByRole('time').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const changed = page.waitForResponse((response) => response.request().method() === 'PUT');
    await row.getByRole('switch').press('Space');
    await changed;
    await row.getByRole('switch', { checked: false }).waitFor();
    expect(await statusWith(key)).toBe(401);
    await row.getByText('purpose: chat bot').waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the key', exact: true }).click();
    await page.getByText('No API keys').waitFor();
    expect(errors).toEqual([]);
  });

  it('find who did what in the audit trail, and verify it', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await goTo(page, 'u', 'Audit');
    await page.getByRole('textbox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'change' }).click();
    await page.getByRole('textbox', { name: 'Operation' }).fill('api_keys.create');
    await page.getByText('1 record', { exact: true }).waitFor();
    expect(page.url()).toContain('kind=change&operation=api_keys.create');
    await page.getByRole('button', { name: 'Verify the trail' }).click();
    await page.getByText('The trail is intact').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole('link', { name: 'api_keys.create' }).click();
    await page.getByRole('heading', { level: 1, name: 'api_keys.create' }).waitFor();
    await page.getByText('permission_grants').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: '127.0.0.1' }).click();
    await page.getByRole('link', { name: 'api_keys.delete' }).waitFor();
    expect(page.url()).toContain('address=127.0.0.1');
    await page.getByRole('textbox', { name: 'User' }).fill('nobody');
    await page.getByText('Nothing matches these filters').waitFor();
    expect(errors).toEqual([]);
  });

  it("list a user's sessions, revoke one, and then all", async () => {
    const { page, errors } = await visit(siteOf().browser, { userAgent: 'Kiosk' });
    await logIn(page, `${siteOf().system.api}/`, 'other', 'otherp');
    const userAgent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    const { page: laptop } = await visit(siteOf().browser, { userAgent, colorScheme: 'dark' });
    await logIn(laptop, `${siteOf().system.api}/`, 'other', 'otherp');
    await goTo(page, 'z', 'My sessions');
    expect(await accessibilityFindings(page)).toEqual([]);
    const there = page.getByRole('row', { name: 'Chrome 156 on Linux' });
    await there.getByTitle(userAgent).waitFor();
    await there.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the token', exact: true }).click();
    await there.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'Kiosk' }).waitFor();
    await laptop.reload();
    await laptop.getByRole('button', { name: 'Log in' }).waitFor();

    await page.getByRole('button', { name: 'Revoke all' }).click();
    await page.getByRole('button', { name: 'Revoke all tokens' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('say that roles are off, apply the files, and show what a user may do', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await goTo(page, 'l', 'Users and roles');
    await page.getByText('Roles are off: every user may do everything').waitFor();
    await page.getByText('No user has a role.').waitFor();
    for (const [path, text] of Object.entries(ROLE_FILES)) {
      const file = join(siteOf().system.directory, 'rbac', path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    }
    await page.getByRole('button', { name: 'Apply the files' }).click();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Files applied').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('action:core:echo: action_execute').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    const { directory, api } = siteOf().system;
    await siteOf().system.stop({ keepData: true });
    siteOf().system = await startSystem({ directory, api: Number(new URL(api).port), config: ROLES_ON });
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'Users' }).waitFor();
    expect(await page.getByText('Roles are off').count()).toBe(0);
    await page.getByRole('link', { name: 'other' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'other' }).waitFor();
    await page.getByRole('row', { name: 'action_execute Run an action. action:core:echo' }).waitFor();
    await page.getByRole('row', { name: 'rule_view See a rule. everything' }).waitFor();
    expect(await page.getByText('rule_modify').count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('offer a user with a lesser role only what it permits, with the reason', async () => {
    const { api, auth } = siteOf().system;
    const admin = await login(api, auth);
    expect((await admin.call('POST', '/v1/rules', RULE)).status).toBe(201);
    const items = Array.from({ length: 60 }, (_, index) => `door_${index}`);
    await Promise.all(items.map((name) => admin.call('PUT', `/v1/keys/${name}`, { name, value: 'open' })));
    const run = await admin.call('POST', '/v1/executions', { action: 'core.noop' });
    await admin.call('POST', '/v1/executions', { action: 'core.ask' });
    await admin.call('PUT', '/v1/keys/door_code', { name: 'door_code', value: 'a-code-to-hide', secret: true });
    const { page, errors } = await visit(siteOf().browser, { colorScheme: 'dark' });
    const forbidden = new Set<string>();
    page.on('response', (response) => {
      if (response.status() === 403) forbidden.add(new URL(response.url()).pathname);
    });
    await logIn(page, `${api}/`, 'other', 'otherp');
    const open = (path: string) => page.goto(`${api}/#/${path}`);
    const refused = (text: string) => page.getByText(`permit you to ${text}`).waitFor();
    const buttons = (name: string) => page.getByRole('button', { name, exact: true }).count();

    const navigation = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await navigation.allInnerTexts()).toEqual(
      expect.arrayContaining(['Overview', 'History', 'Datastore', 'API keys', 'Audit', 'My sessions']),
    );
    for (const name of ['Users and roles', 'Status'])
      expect(await navigation.filter({ hasText: name }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to' }).fill('Users and roles');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');

    await open('history');
    await page.getByRole('checkbox', { name: String(run.body.id) }).check();
    await refused('cancel these executions (execution_stop)');
    await refused('run them again (execution_rerun)');
    expect(await accessibilityFindings(page)).toEqual([]);
    await open('inquiries');
    await refused('respond to it (inquiry_respond)');
    expect(await buttons('Respond')).toBe(0);
    await open('aliases');
    await refused('try commands (action_alias_match)');

    await open('rules/default.nightly');
    await refused('change this rule (rule_modify)');
    await refused('test rules on events (rule_create)');
    expect(await page.getByRole('switch', { name: 'default.nightly is enabled' }).isDisabled()).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    await open(`history/${run.body.id}`);
    await refused('run it again (execution_rerun)');
    await open('actions/core.noop');
    await refused('run this action (action_execute)');
    expect(await buttons('Run')).toBe(0);
    await open('packs/core');
    await refused('remove this pack (pack_uninstall)');
    await refused('configure this pack (pack_config)');
    await open('packs?tab=index');
    await refused('install packs (pack_install)');
    await open('datastore');
    await refused('change items of the system (key_value_pair_set)');
    await page.getByText('61 of 61').waitFor();
    expect([await buttons('Change door_7'), await buttons('Delete door_7')]).toEqual([0, 0]);
    await open('apikeys');
    await refused('create keys (api_key_create)');
    await open('roles');
    await page.getByText('Not allowed').waitFor();
    await page.getByRole('link', { name: 'Show what you may do' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'other' }).click();
    await page.getByRole('heading', { level: 1, name: 'other' }).waitFor();
    admin.close();

    await open('actions/core.echo');
    await page.getByRole('textbox', { name: /^message/ }).fill('hello');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'core.echo' }).waitFor();
    await page.getByRole('link', { name: 'Run again' }).waitFor();
    await open('history');
    for (const name of [String(run.body.id), 'Select core.echo']) await page.getByRole('checkbox', { name }).check();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('1 of 2 executions can be changed; the others are not permitted by your roles').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    // Only the page of users and roles asks for more than the user may see.
    expect([...forbidden].sort()).toEqual(['/api/v1/rbac/role_assignments', '/api/v1/rbac/roles']);
    expect(errors.filter((error) => !error.includes('status of 403'))).toEqual([]);
  });
}

describeStories('The pages of administration', (siteOf) => {
  stories(siteOf);
  describe('A translation', () => translationStories(siteOf));
});
