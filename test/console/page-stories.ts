/// <reference types="jest" />

import type { Page } from 'playwright-core';
import { accessibilityFindings, expectAccessible, logIn, postAs, visit, type Site } from './browser';

const RULE = {
  name: 'greet',
  pack: 'default',
  enabled: true,
  trigger: { type: 'core.st2.webhook', parameters: { url: 'greet' } },
  criteria: { 'trigger.body.name': { type: 'equals', pattern: 'ada' } },
  action: { ref: 'core.echo', parameters: { message: 'hello {{ trigger.body.name }}' } },
};

export function pageStories(siteOf: () => Site): void {
  const send = (page: Page, path: string, body: object) => postAs(page, `${siteOf().system.api}/api/v1/${path}`, body);

  it('show why a rule did nothing, try a change on the past event, and save it', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await send(page, 'rules', RULE);
    await send(page, 'webhooks/greet', { name: 'grace' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByLabel('Search rules').fill('greet');
    await page
      .getByText('When the webhook "greet" is called and trigger.body.name is "ada", run core.echo.', { exact: true })
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'default.greet' }).click();
    await page.getByText('No event has matched this rule yet.').waitFor();

    const editor = page.getByRole('textbox', { name: 'Definition of the rule' });
    const text = await editor.innerText();
    expect(text).toContain('pattern: ada');
    await editor.fill('name: [');
    await page.getByRole('alert').getByText('This is not a valid rule').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await editor.fill(text.replace('pattern: ada', 'pattern: grace'));
    await page.getByRole('button', { name: 'Test on events' }).click();
    await page.getByText('1 of 1 events match. Nothing was run.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('trigger.body.name is "grace"').waitFor();
    const enabled = page.getByRole('switch', { name: 'default.greet is enabled' });
    expect(await enabled.isChecked()).toBe(true);

    await send(page, 'webhooks/greet', { name: 'grace' });
    await page.getByRole('link', { name: 'Execution' }).click();
    await page.getByRole('heading', { level: 1, name: 'core.echo' }).waitFor();
    await page.getByText('default.greet', { exact: true }).waitFor();

    await page.goto(`${siteOf().system.api}/#/rules/default.greet`);
    await page.getByRole('radiogroup', { name: 'Form of the definition' }).getByText('Fields').click();
    await page.getByLabel('Value of condition 1').fill('mary');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Member of the event in condition 2').fill('trigger.body.age');
    await page.getByRole('textbox', { name: 'Operator of condition 2' }).click();
    await page.getByRole('option', { name: 'is greater than' }).click();
    await page.getByLabel('Value of condition 2').fill('3');
    await page.getByRole('textbox', { name: 'message' }).fill('hi {{ trigger.body.name }}');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('name is "mary" and trigger.body.age is greater than 3, run core.echo.').waitFor();
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'message' }).inputValue()).toBe('hi {{ trigger.body.name }}');

    await page.goto(`${siteOf().system.api}/#/actions/core.echo`);
    await page.getByRole('region', { name: 'Used by' }).getByRole('link', { name: 'default.greet' }).waitFor();
    await page.goto(`${siteOf().system.api}/#/actions/examples.orquesta-ask-basic`);
    await page.getByRole('button', { name: 'Show the source' }).click();
    await page.getByRole('region', { name: 'Source' }).getByText('version: 1.0').waitFor();
    expect(page.url()).toContain('source=shown');
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  it('show why no rule matched an event, and emit it again', async () => {
    const { page, errors } = await visit(siteOf().browser, { colorScheme: 'dark' });
    await logIn(page, `${siteOf().system.api}/`);
    const criteria = { 'trigger.body.name': { type: 'equals', pattern: 'ada' } };
    const trigger = { type: 'core.st2.webhook', parameters: { url: 'visits' } };
    await send(page, 'rules', { ...RULE, name: 'visits', trigger, criteria });
    await send(page, 'webhooks/visits', { name: 'mary' });
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Trigger type' }).click();
    await page.getByRole('option', { name: 'core.st2.webhook' }).click();
    const row = page.getByRole('link', { name: 'none of 1 rule matched' });
    await row.first().waitFor();
    expect(page.url()).toContain('type=core.st2.webhook');
    expect(await accessibilityFindings(page)).toEqual([]);
    await row.first().click();
    await page.getByRole('heading', { level: 1, name: 'Webhook "visits"' }).waitFor();
    await page.getByText('"mary"').waitFor();
    await page.getByText('Result: none of 1 rule matched.').waitFor();
    await page.getByText('trigger.body.name is "ada", run core.echo.').waitFor();
    await page.getByText('No rule has run an action for this event.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole('link', { name: 'default.visits' }).click();
    const editor = page.getByRole('textbox', { name: 'Definition of the rule' });
    await editor.fill((await editor.innerText()).replace('pattern: ada', 'pattern: mary'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('trigger.body.name is "mary"').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Emit again' }).click();
    await page.getByText('Emitted again').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Events' }).click();
    await page.getByRole('link', { name: 'matched default.visits' }).click();
    await page.getByRole('link', { name: 'Execution' }).click();
    await page.getByRole('heading', { level: 1, name: 'core.echo' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('add, change, show and delete an item of the datastore', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByText('No items').waitFor();
    await page.getByRole('button', { name: 'Add an item' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('door_code');
    await page.getByRole('textbox', { name: 'Value' }).fill('4711');
    await page.getByRole('checkbox', { name: 'Secret' }).check();
    expect(await page.getByLabel('Value').getAttribute('type')).toBe('password');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('door_code has its new value.').waitFor();
    expect(await page.getByText('4711').count()).toBe(0);
    await page.getByRole('button', { name: 'Show the value of door_code' }).click();
    await page.getByText('4711', { exact: true }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Change door_code' }).click();
    await page.getByRole('checkbox', { name: 'Secret' }).uncheck();
    await page.getByLabel('Value').fill('open');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('open', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete door_code' }).click();
    await page.getByRole('button', { name: 'Delete the item' }).click();
    await page.getByText('No items').waitFor();
    await page.getByText('Mine', { exact: true }).click();
    expect(page.url()).toContain('scope=user');
    expect(errors).toEqual([]);
  });

  it('configure a pack, show its files, say that the index cannot be reached, and remove a pack', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByLabel('Search packs').fill('examples');
    await page.getByRole('link', { name: 'examples' }).click();
    await page.getByRole('heading', { level: 1, name: 'examples' }).waitFor();
    await page.getByText('# Examples').first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel(/^api_key/).fill('k-123');
    await page.getByLabel(/^api_secret/).fill('s-123');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It applies to the next action that starts.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(await page.getByLabel(/^api_key/).inputValue()).toBe('********');

    await page.getByRole('navigation').getByRole('link', { name: 'Packs' }).click();
    await page.getByRole('tab', { name: 'Install', exact: true }).click();
    await page.getByText('Packs can still be installed by their address.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.goto(`${siteOf().system.api}/#/packs/toolbox`);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the pack' }).click();
    await page.getByRole('heading', { level: 1, name: 'packs.uninstall' }).waitFor();
    await page.getByText('succeeded', { exact: true }).first().waitFor();
    expect(errors).toEqual([]);
  });

  it('let somebody answer on a phone, in the dark theme, and the workflow goes on', async () => {
    const { page, errors } = await visit(siteOf().browser, {
      colorScheme: 'dark',
      viewport: { width: 390, height: 800 },
    });
    await logIn(page, `${siteOf().system.api}/`);
    const { id, web_url: address } = await send(page, 'executions', { action: 'examples.orquesta-ask-basic' });
    expect(address).toBe(`${siteOf().system.api}/#/history/${id}/general`);
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('link', { name: 'Inquiries' }).click();
    await page.getByRole('heading', { name: 'Question for examples' }).waitFor();
    await page.getByRole('button', { name: 'Respond' }).click();
    await page.getByText('A value is required.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'approved' }).click();
    await page.getByRole('option', { name: 'true' }).click();
    await page.getByRole('button', { name: 'Respond' }).click();
    await page.getByText('No open inquiries').waitFor();
    await page.goto(address);
    await page.getByText('succeeded', { exact: true }).first().waitFor();
    expect(errors).toEqual([]);
  });
}
