/// <reference types="jest" />

import { startSystem } from '../system/system-process';
import { accessibilityFindings, logIn, postAs, visit, type Site } from './browser';

export function workflowStories(siteOf: () => Site): void {
  it('is started by keyboard, drawn while it runs, and explained task by task', async () => {
    const { page, errors } = await visit(siteOf().browser, { colorScheme: 'dark' });
    await logIn(page, `${siteOf().system.api}/`);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to' }).fill('orquesta-join');
    await page.getByRole('button', { name: 'examples.orquesta-join Joins' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'examples.orquesta-join' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).press('Enter');

    const graph = page.getByRole('region', { name: 'Graph of the workflow' });
    for (const task of ['start', 'left', 'right', 'meet']) {
      await graph.getByRole('button', { name: new RegExp(`^${task} succeeded`) }).waitFor();
    }
    await graph.getByRole('button', { name: /^meet/ }).press('Enter');
    expect(page.url()).toContain('task=meet');
    const detail = page.getByRole('region', { name: 'Task meet' });
    await detail.getByText('Runs core.echo, waits for all branches.').waitFor();
    await detail.getByText('"from the left, from the right"').first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole('radiogroup', { name: 'View' }).getByText('Timeline').click();
    await page.getByRole('list', { name: 'Timeline of the tasks' }).getByRole('button', { name: /^left/ }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Definition').click();
    await page.locator('.cm-activeLine', { hasText: 'meet:' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('is read again when the connection to the server was lost', async () => {
    const { page } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/#/history`);
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    const port = Number(new URL(siteOf().system.api).port);
    const { directory } = siteOf().system;
    await siteOf().system.stop({ keepData: true });
    await page.getByRole('status').filter({ hasText: 'Reconnecting' }).waitFor();
    siteOf().system = await startSystem({ api: port, directory });
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    const failing = { action: 'core.local', parameters: { cmd: 'exit 1' } };
    const { id } = await postAs(page, `${siteOf().system.api}/api/v1/executions`, failing);
    const row = page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: id }) });
    await row.filter({ hasText: 'failed' }).waitFor();
  });
}
