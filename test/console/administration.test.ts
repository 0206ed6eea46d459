import type { Page } from 'playwright-core';
import { accessibilityFindings, describeStories, logIn, visit, type Site } from './browser';

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
    const { page: laptop } = await visit(siteOf().browser, { userAgent: 'Laptop', colorScheme: 'dark' });
    await logIn(laptop, `${siteOf().system.api}/`, 'other', 'otherp');
    await goTo(page, 'z', 'My sessions');
    expect(await accessibilityFindings(page)).toEqual([]);
    const there = page.getByRole('row', { name: 'Laptop' });
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
}

describeStories('The pages of administration', stories);
