/// <reference types="jest" />

import type { Request } from 'playwright-core';
import { accessibilityFindings, logIn, visit, type Site } from './browser';

export function historyStories(siteOf: () => Site): void {
  it('runs an action, follows its output, finds the failure in the history, and runs it again with another parameter', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    expect(page.url()).not.toMatch(/token/i);

    await page.getByRole('link', { name: 'Actions' }).click();
    await page.getByLabel('Search actions').fill('core local shell');
    await page.getByRole('link', { name: 'local Runs a shell command on' }).click();
    await page.getByRole('heading', { level: 1, name: 'core.local' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('A value is required.').waitFor();
    await page.getByRole('textbox', { name: 'cmd' }).fill(String.raw`printf '\033[31mstopped\033[0m\n'; exit 3`);
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByText(`curl ${siteOf().system.api}/api/v1/executions`).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();

    await page.getByRole('tab', { name: 'Output', selected: true }).waitFor();
    expect(await page.locator('.ansi-red', { hasText: 'stopped' }).textContent()).toBe('stopped');
    await page.getByText('failed', { exact: true }).waitFor();

    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await page.getByRole('listitem').first().getByRole('link').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Run again' }).click();
    await page.getByRole('textbox', { name: 'cmd' }).fill('echo mended');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('tab', { name: 'Output', selected: true }).waitFor();
    await page.getByText('succeeded', { exact: true }).waitFor();
    await page.getByText('mended', { exact: true }).waitFor();
    expect(errors).toEqual([]);
  });

  it('shows new executions as they happen, filters them by the address, and opens the addresses of the reference', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await page.goto(`${siteOf().system.api}/#/history?action=core.error`);
    await page.getByText('No executions').waitFor();
    const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('switchyard.session')!).token as string);
    const response = await fetch(`${siteOf().system.api}/api/v1/executions`, {
      method: 'POST',
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'core.error', parameters: { message: 'hello' } }),
    });
    const { id } = (await response.json()) as { id: string };
    await page.getByRole('listitem').filter({ hasText: 'succeeded' }).waitFor();
    await page.goto(`${siteOf().system.api}/#/history/${id}/general`);
    await page.getByText(id).waitFor();
    expect(page.url()).toBe(`${siteOf().system.api}/#/history/${id}`);
    expect(errors).toEqual([]);
  });

  it('loads at most 350 kB before the history is shown', async () => {
    const { page } = await visit(siteOf().browser);
    const finished: Request[] = [];
    page.on('requestfinished', (request) => finished.push(request));
    await logIn(page, `${siteOf().system.api}/#/history`);
    await page.getByRole('listitem').first().waitFor();
    // Of these alone: a size that is asked for later may not arrive before the page is closed.
    const sizes = await Promise.all(finished.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(350_000);
  });

  it('asks for the password again after a wrong one, with a message', async () => {
    const { page } = await visit(siteOf().browser);
    await page.goto(`${siteOf().system.api}/`);
    await page.getByLabel('User').fill('testu');
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('');
  });

  it.each(['light', 'dark'] as const)(
    'has no finding of accessibility in the %s theme, also at the width of a phone',
    async (colorScheme) => {
      const { page } = await visit(siteOf().browser, { colorScheme, viewport: { width: 390, height: 800 } });
      await page.goto(`${siteOf().system.api}/`);
      await page.getByLabel('User').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await logIn(page, `${siteOf().system.api}/`);
      for (const [address, heading] of [
        ['#/history', 'History'],
        ['#/actions', 'Actions'],
        ['#/actions/core.local', 'core.local'],
      ] as const) {
        await page.goto(`${siteOf().system.api}/${address}`);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
      }
      await page.goto(`${siteOf().system.api}/#/history`);
      await page.getByRole('listitem').first().getByRole('link').click();
      for (const tab of ['Result', 'Output', 'Input', 'Log']) {
        await page.getByRole('tab', { name: tab }).click();
        expect([tab, await accessibilityFindings(page)]).toEqual([tab, []]);
      }
    },
  );
}
