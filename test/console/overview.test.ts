import type { Page } from 'playwright-core';
import { accessibilityFindings, describeStories, logIn, visit } from './browser';

describeStories('The overview and the comparison of runs in the web console', (siteOf) => {
  /** Starts an action as the user of the page. @returns the id of the execution */
  async function run(page: Page, action: string, parameters: object = {}): Promise<string> {
    const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('switchyard.session')!).token as string);
    const response = await fetch(`${siteOf().system.api}/api/v1/executions`, {
      method: 'POST',
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({ action, parameters }),
    });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  }

  it('compares two runs by their parameters, results and logs, in both directions of choice', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    const secret = 'a-secret-to-hide';
    await run(page, 'examples.secret_parameter', { password: `${secret}-too`, timeout: 50 });
    const chosen = await run(page, 'examples.secret_parameter', { password: secret, timeout: 60 });
    await page.goto(`${siteOf().system.api}/#/history/${chosen}`);
    await page.getByRole('button', { name: 'Compare with…' }).click();
    await page.getByRole('dialog').getByRole('list', { name: 'Runs' }).getByRole('link').click();
    const parameters = page.getByRole('table', { name: 'Parameters' });
    await parameters.getByRole('row', { name: 'timeout 60 50 different' }).waitFor();
    await parameters.getByRole('row', { name: 'password ******** ******** masked' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await accessibilityFindings(page)).toEqual([]);

    const succeeded = await run(page, 'core.local', { cmd: String.raw`printf 'one\ntwo\n'` });
    const failed = await run(page, 'core.local', { cmd: String.raw`printf 'one\nthree\n'; exit 3` });
    await page.goto(`${siteOf().system.api}/#/history?action=core.local`);
    const rows = page.getByRole('listitem');
    for (const [id, status] of [
      [succeeded, 'succeeded'],
      [failed, 'failed'],
    ] as const) {
      const row = rows.filter({ has: page.getByLabel(`Select core.local ${id}`) });
      await row.filter({ hasText: status }).waitFor();
      await page.getByLabel(`Select core.local ${id}`).check();
    }
    await page.getByRole('link', { name: 'Compare' }).click();
    expect(page.url()).toBe(`${siteOf().system.api}/#/history/${succeeded}/compare/${failed}`);
    await page.getByRole('switch', { name: 'Only differences' }).check();
    await page.waitForURL(/only=differences/);
    const result = page.getByRole('table', { name: 'Result' });
    await result.getByRole('row', { name: 'return_code 0 3 different' }).waitFor();
    expect(await result.locator('mark').allTextContents()).toEqual(['two', 'three']);
    expect(await result.getByRole('row', { name: /^stderr / }).count()).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
