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
}

describeStories('The pages of administration', stories);
