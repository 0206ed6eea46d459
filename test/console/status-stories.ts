/// <reference types="jest" />

import { accessibilityFindings, logIn, visit, type Site } from './browser';

export function statusStories(siteOf: () => Site): void {
  it('shows what is running, and says why an execution waits', async () => {
    const { page, errors } = await visit(siteOf().browser);
    const { api } = siteOf().system;
    await logIn(page, `${api}/`);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor();
    await page.getByText('1 process', { exact: true }).waitFor();
    await page.getByText('No problems').waitFor();
    const services = page.getByRole('region', { name: 'Services' });
    expect(await services.getByRole('cell', { name: /^(scheduler|timers|api)$/ }).count()).toBe(3);
    await page.getByRole('region', { name: 'Leaders' }).getByRole('cell', { name: 'garbage-collector' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    // No action runner has this label.
    const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('switchyard.session')!).token as string);
    const body = JSON.stringify({ action: 'core.noop', pool: 'gpu' });
    const headers = { 'x-auth-token': token, 'content-type': 'application/json' };
    expect((await fetch(`${api}/v1/executions`, { method: 'POST', headers, body })).status).toBe(201);
    await page.getByText('1 execution waits for the pool "gpu", and no running action runner serves it.').waitFor();
    await page.getByRole('region', { name: 'Unfinished executions' }).getByRole('cell', { name: 'delayed' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
}
