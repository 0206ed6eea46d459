/// <reference types="jest" />

import type { Page } from 'playwright-core';
import { expectAccessible, logIn, postAs, visit, type Site } from './browser';

const RULE = {
  name: 'deployed',
  pack: 'default',
  enabled: true,
  trigger: { type: 'core.st2.webhook', parameters: { url: '/deploy/done/' } },
  criteria: {},
  action: { ref: 'core.echo', parameters: { message: 'deployed' } },
};

export function automationStories(siteOf: () => Site): void {
  const send = (page: Page, path: string, body: object) => postAs(page, `${siteOf().system.api}/api/v1/${path}`, body);

  it('show the schema of a trigger type, its rules and its events', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await send(page, 'rules', RULE);
    await send(page, 'webhooks/deploy/done', { version: 3 });
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByLabel('Search trigger types').fill('core webhook');
    await page.getByRole('link', { name: /^st2\.webhook .*\d rules?$/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'st2.webhook' }).click();
    await page.getByRole('row', { name: 'url required string' }).waitFor();
    await page.getByRole('row', { name: 'headers_lower object' }).waitFor();
    await page.getByRole('link', { name: 'default.deployed', exact: true }).waitFor();
    await page.getByRole('link', { name: 'matched default.deployed' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All events of this type' }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Trigger type' }).inputValue()).toBe('core.st2.webhook');
    expect(errors).toEqual([]);
  });

  it('show webhooks with a request that the API accepts', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    const hook = page.getByRole('region', { name: 'deploy/done' });
    await hook.getByRole('link', { name: 'default.deployed' }).waitFor();
    const address = `${siteOf().system.api}/api/v1/webhooks/deploy/done`;
    expect(await hook.getByLabel('Request to deploy/done').innerText()).toBe(
      `curl ${address} \\\n  -H "Svc-Api-Key: $SVC_API_KEY" -H 'Content-Type: application/json' \\\n  -d '{"name": "value"}'`,
    );
    await expectAccessible(page);
    await page.getByLabel('Search webhooks').fill('nothing');
    await page.getByText('No webhook matches.').waitFor();
    expect(errors).toEqual([]);
  });

  it('show the next times of a timer in the time zone of the viewer', async () => {
    const { page, errors } = await visit(siteOf().browser, { timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    await logIn(page, `${siteOf().system.api}/`);
    const parameters = { year: 2199, month: 7, day: 1, hour: '9-22', minute: 0, second: 0, timezone: 'Europe/Oslo' };
    await send(page, 'rules', { ...RULE, name: 'shift', trigger: { type: 'core.st2.CronTimer', parameters } });
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByLabel('Search timers').fill('2199');
    await page.getByRole('button', { name: /^When year is 2199 and month is 7/ }).click();
    const times = page.getByRole('list', { name: 'Next times' }).getByRole('listitem');
    await times.first().waitFor();
    expect(await times.count()).toBe(10);
    expect(await times.first().innerText()).toBe('1 Jul 2199, 16:00:00 GMT+9');
    await page.getByRole('link', { name: 'default.shift' }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await times.first().waitFor();

    const timer = (name: string, type: string, given: object) =>
      send(page, 'rules', { ...RULE, name, trigger: { type: `core.st2.${type}`, parameters: given } });
    await timer('daily', 'CronTimer', { hour: 9, minute: 0, second: 0, timezone: 'Asia/Tokyo' });
    await timer('tick', 'IntervalTimer', { delta: 10, unit: 'minutes' });
    await page.goto(`${siteOf().system.api}/#/timers?view=calendar`);
    await page.reload();
    const often = page.getByRole('region', { name: 'Often' }).getByRole('listitem');
    await often.filter({ hasText: /^Every 10 minutes, next at .*: default.tick$/ }).waitFor();
    const daily = page.getByRole('listitem').filter({ hasText: /^09:00 default.daily$/ });
    await daily.nth(6).waitFor();
    expect(await daily.count()).toBe(7);
    await expectAccessible(page);
    await page.getByText('Next 24 hours').click();
    await page.waitForURL(/view=calendar&period=day/);
    await daily.nth(1).waitFor({ state: 'detached' });
    await daily.getByRole('link').click();
    await times.first().waitFor();
    expect(await times.first().innerText()).toContain('09:00:00 GMT+9');
    expect(errors).toEqual([]);
  });

  it('show why a sensor does not run, and disable it', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByLabel('Search sensors').fill('watchtower waiting');
    await page.getByText('Watches the door.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Watcher' }).click();
    await page.getByLabel('Last output').getByText('The door does not answer.').waitFor();
    await page.getByText(/^It ended with code 1 on/).waitFor();
    const log = page.getByRole('region', { name: 'Log' });
    await log.getByText('The door does not answer.').first().waitFor();
    await log.getByText('The process ended with exit code 1.').first().waitFor();
    await expectAccessible(page);
    const enabled = page.getByRole('switch', { name: 'watchtower.Watcher is enabled' });
    await enabled.click({ force: true });
    await page.getByText('stopped', { exact: true }).waitFor();
    expect(await enabled.isChecked()).toBe(false);
    await page.getByRole('link', { name: 'watchtower.door' }).click();
    await page.getByText('The door was opened.').waitFor();
    expect(errors).toEqual([]);
  });

  it('change a policy with a form and as YAML, and disable it', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Policy type' }).click();
    await page.getByRole('option', { name: 'action.concurrency', exact: true }).click();
    await page.getByText('action.concurrency for core.noop').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'one_at_a_time' }).click();
    await page.getByLabel(/^threshold/).fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The change failed').waitFor();
    await page.getByLabel(/^threshold/).fill('2');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It applies to executions that start from now on.').waitFor();

    await page.getByRole('tab', { name: 'YAML' }).click();
    const editor = page.getByRole('textbox', { name: 'Definition of the policy' });
    await editor.getByText('threshold: 2').waitFor();
    await editor.fill('name: [');
    await page.getByRole('alert').getByText('This is not a valid policy').waitFor();
    await page.reload();
    await editor.fill((await editor.innerText()).replace('core.noop', 'core.echo'));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'core.echo' }).waitFor();
    const enabled = page.getByRole('switch', { name: 'watchtower.one_at_a_time is enabled' });
    expect(await enabled.isChecked()).toBe(true);
    await enabled.click({ force: true });
    await page.reload();
    await editor.waitFor();
    expect(await enabled.isChecked()).toBe(false);
    expect(errors).toEqual([]);
  });

  it('show the alias and the parameters of a command, and run it', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await page.keyboard.press('g');
    await page.keyboard.press('x');
    await page.getByRole('main').getByText('run {{ cmd }} on {{ hosts }}', { exact: true }).waitFor();
    const command = page.getByRole('textbox', { name: 'Try a command' });
    await command.fill('make me a sandwich');
    await page.keyboard.press('Enter');
    await page.getByText('matched no patterns').waitFor();
    await expectAccessible(page);
    await command.fill('pack get core');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'packs.pack_get' }).waitFor();
    await page.getByRole('list', { name: 'Parameters' }).getByText('pack: core').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Run the command' }).click();
    await page.getByRole('heading', { level: 1, name: 'packs.get' }).waitFor();
    await page.getByText('succeeded', { exact: true }).first().waitFor();
    expect(errors).toEqual([]);
  });
}
