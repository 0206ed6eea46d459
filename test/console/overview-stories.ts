/// <reference types="jest" />

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityFindings, expectAccessible, logIn, postAs, visit, type Site } from './browser';

export function overviewStories(siteOf: () => Site): void {
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

  it('gives an overview of what ran, what failed, and what waits', async () => {
    const { page, errors } = await visit(siteOf().browser, { colorScheme: 'dark' });
    await logIn(page, `${siteOf().system.api}/`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Failures by action').getByText('Nothing has failed.').waitFor();
    await part('Open inquiries').getByText('No question waits for an answer.').waitFor();
    await part('System').getByRole('link', { name: 'No problems' }).waitFor();
    await part('System').getByRole('row', { name: 'Waiting executions 0' }).waitFor();
    await run(page, 'core.local', { cmd: 'exit 3' });
    await run(page, 'core.local', { cmd: 'true' });
    await run(page, 'core.ask', {});
    await part('Last failures').getByRole('link', { name: 'failed core.local' }).waitFor();
    await part('Failures by action').getByRole('row', { name: 'core.local 3 1 33.3%' }).waitFor();
    await part('Executions').getByRole('img', { name: 'Executions by time: 2 succeeded, 1 failed, 0 canceled, 1 not ended' }).waitFor(); // oxfmt-ignore
    expect(await part('Executions').locator('canvas').count()).toBe(1);
    await part('Durations')
      .getByRole('img', { name: /^Seconds from start to end, by time: half below / })
      .waitFor();
    await part('Open inquiries').getByRole('link', { name: '1 question waits for an answer' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('cancels and reruns selected executions, and shows what became of each', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    const directory = mkdtempSync(join(tmpdir(), 'svc-bulk-'));
    const signal = join(directory, 'signal');
    const ended = await run(page, 'core.noop');
    const ending = await run(page, 'core.local', { cmd: `until [ -e ${signal} ]; do sleep 0.1; done` });
    const sleeping = await run(page, 'core.local', { cmd: 'sleep 600' });
    await page.goto(`${siteOf().system.api}/#/history`);
    const rowOf = (id: string, status: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: id }), hasText: status });
    await rowOf(ended, 'succeeded').waitFor();
    for (const id of [ended, ending, sleeping]) await page.getByRole('checkbox', { name: id }).check();
    writeFileSync(signal, '');
    await rowOf(ending, 'succeeded').waitFor();
    rmSync(directory, { recursive: true });

    const bar = page.getByRole('group', { name: 'Selected executions' });
    const dialog = page.getByRole('dialog');
    await bar.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByText('2 of 3 executions can be changed; the others have ended.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel 2 executions' }).click();
    await dialog.getByText('1 of 2 succeeded, 1 failed.').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'Action cannot be canceled. State = succeeded.' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await rowOf(sleeping, 'canceled').waitFor();

    const checkbox = page.getByRole('checkbox', { name: ended });
    await checkbox.check();
    const element = await checkbox.elementHandle();
    const later = await run(page, 'core.noop');
    await rowOf(later, 'succeeded').waitFor();
    expect(await element?.getAttribute('aria-label')).toContain(ended);
    expect(await element?.isChecked()).toBe(true);
    await bar.getByRole('button', { name: 'Run again' }).click();
    await dialog.getByRole('button', { name: 'Run again 1 execution' }).click();
    await dialog.getByText('1 of 1 succeeded.').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'core.noop started' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'core.noop' }).waitFor();
    expect(page.url()).not.toContain(ended);
    expect(errors).toEqual([]);
  });

  it('selects a time range of the history on its chart with the mouse, and in fields with the keyboard', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await run(page, 'core.echo', { message: 'counted' });
    await run(page, 'core.noop');
    await page.goto(`${siteOf().system.api}/#/history?action=core.echo&status=succeeded`);
    const chart = page.getByRole('img', { name: 'Executions by time: 1 succeeded, 0 failed, 0 canceled, 0 not ended' });
    await chart.waitFor();
    const rows = page.getByRole('listitem').getByRole('link', { name: 'core.echo' });
    await rows.waitFor();
    await expectAccessible(page);
    const plot = (await chart.locator('.u-over').boundingBox())!;
    const [width, middle] = [plot.width, plot.y + plot.height / 2];
    const drag = async (from: number, to: number) => {
      await page.mouse.move(plot.x + width * from, middle);
      await page.mouse.down();
      await page.mouse.move(plot.x + width * to, middle, { steps: 4 });
      await page.mouse.up();
    };
    await drag(0.1, 0.6);
    await page.waitForURL(/action=core.echo&status=succeeded&from=.*&to=/);
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('img', { name: 'Executions by time: 0 succeeded, 0 failed' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear time range' }).click();
    await rows.waitFor();
    await drag(0.5, 1.01);
    await page.waitForURL(/from=.*&to=/);
    await rows.waitFor();

    await page.getByRole('button', { name: 'Clear time range' }).press('Enter');
    await page.waitForURL((url) => !url.hash.includes('from='));
    await page.getByRole('textbox', { name: 'Time range' }).focus();
    await page.keyboard.type('between');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByLabel('From').fill('2199-12-31T23:00:00');
    await page.getByText('The parameter "from" must be earlier than "to"').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2199-12-31T23:30:01');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByLabel('From').focus();
    await page.keyboard.press('Delete');
    await page.getByLabel('To', { exact: true }).focus();
    await page.waitForURL((url) => !url.hash.includes('from='));
    await rows.waitFor();
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2199-12-31T23:30:01');
    expect(errors).toEqual([]);
  });

  it('saves filters of the history for every browser of the user, or in this browser if the datastore refuses them', async () => {
    const { api, auth } = siteOf().system;
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${api}/`);
    await page.goto(`${api}/#/history?status=failed&since=7d`);
    const menu = (on: Page) => on.getByRole('button', { name: 'Saved filters' });
    const item = (on: Page, name: string) => on.getByRole('menuitem', { name, exact: true });
    const save = async (on: Page, name: string) => {
      await menu(on).press('Enter');
      await item(on, 'Save these filters').press('Enter');
      await on.getByLabel('Name').fill(name);
      await on.keyboard.press('Enter');
      await on.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await save(page, 'failures');
    await menu(page).click();
    await item(page, 'failures').waitFor();
    await expectAccessible(page);
    await item(page, 'Rename or delete').click();
    await page.getByLabel('Name of failures').fill('failed this week');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Rename failures' }).click();
    await page.getByRole('button', { name: 'Delete failed this week' }).waitFor();

    const { page: other } = await visit(siteOf().browser);
    await logIn(other, `${api}/#/history`);
    await menu(other).click();
    await item(other, 'failed this week').click();
    await other.waitForURL(/status=failed&since=7d/);
    await menu(other).click();
    await item(other, 'Rename or delete').click();
    await other.getByRole('button', { name: 'Delete failed this week' }).click();
    await other.getByText('No saved filters').waitFor();

    const body = { service: 'wall display', role: 'observer' };
    const limited = await postAs(page, `${auth}/auth/v1/issued_tokens`, body);
    await other.evaluate((session) => sessionStorage.setItem('switchyard.session', JSON.stringify(session)), limited);
    await other.reload();
    await save(other, 'for me');
    await other.reload();
    await menu(other).click();
    await item(other, 'for me').waitFor();
    await other.getByText('They are stored in this browser only').waitFor();
    await expectAccessible(other);
    expect(errors).toEqual([]);
  });

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

  it('reloads itself once if a file of it is gone, as after an upgrade of the server', async () => {
    const { page } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    const missing = (name: string, times?: number) =>
      page.route(new RegExp(`/assets/${name}-`), (route) => route.abort(), times === undefined ? {} : { times });
    let loads = 0;
    page.on('load', () => (loads += 1));
    await missing('actions-page', 1);
    await page.getByRole('link', { name: 'Actions', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Actions' }).waitFor();
    expect(loads).toBe(1);

    // Still gone after a reload: the page says so, and does not load again and again.
    await missing('packs-page');
    await page.getByRole('link', { name: 'Packs', exact: true }).click();
    await page.getByRole('alert').getByText('This page cannot be shown').waitFor();
    expect(loads).toBeLessThan(3);
    expect(new URL(page.url()).hash).toBe('#/packs');
  });
}
