/// <reference types="jest" />

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSystem } from '../system/system-process';
import { accessibilityFindings, expectAccessible, logIn, postAs, visit, type Site } from './browser';

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

  it('says what made it fail, two levels below, after one click on the overview, and goes on from there', async () => {
    const { page, errors } = await visit(siteOf().browser);
    const { api, directory } = siteOf().system;
    await logIn(page, `${api}/`);
    const space = join(directory, 'space');
    const write = `[ -e ${space} ] || { echo the disk is full >&2; exit 3; }`;
    for (const [name, tasks] of Object.entries({
      copy: [`  write:`, `    action: core.local cmd="${write}"`],
      deploy: [
        '  prepare:',
        '    action: core.noop',
        '    next: [{ do: copy }]',
        '  copy:',
        '    action: default.copy',
      ],
    }))
      await postAs(page, `${api}/api/v1/actions`, workflow(name, tasks));
    await postAs(page, `${api}/api/v1/executions`, { action: 'default.deploy' });
    const failures = page.getByRole('region', { name: 'Last failures' });
    await failures.getByRole('link', { name: /^failed default\.deploy/ }).click();
    const cause = page.getByRole('alert').filter({ hasText: 'Cause of the failure' });
    await cause.getByText('the disk is full').waitFor();
    await cause.getByText('It ended with exit code 3.').waitFor();
    const path = ['copy default.copy (failed)', 'write core.local (failed)'];
    expect(await cause.getByRole('listitem').allInnerTexts()).toEqual(path);
    const graph = page.getByRole('region', { name: 'Graph of the workflow' });
    const copy = graph.getByRole('button', { name: /^copy failed/ });
    await copy.waitFor();
    await expectAccessible(page);

    writeFileSync(space, '');
    await copy.click();
    const failed = page.url();
    await page.getByRole('button', { name: 'Run again from here' }).click();
    await graph.getByRole('button', { name: /^copy succeeded 2 runs, / }).waitFor();
    await graph.getByRole('button', { name: /^prepare succeeded/ }).waitFor();
    expect(page.url()).not.toBe(failed);
    await page.getByText('Cause of the failure').waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });

  it('shows the variables before and after each run of a task, with secrets masked', async () => {
    const { page, errors } = await visit(siteOf().browser);
    const { api } = siteOf().system;
    await logIn(page, `${api}/`);
    const tasks = [
      '  first: { action: core.noop, next: [{ do: again }] }',
      '  again:',
      '    action: core.noop',
      '    next:',
      '      - when: <% ctx(count) < 2 %>',
      '        publish: [{ count: <% ctx(count) + 1 %> }, { address: <% ctx(token) %>@far }]',
      '        do: again',
      '      - when: <% ctx(count) = 2 %>',
      '        do: last',
      '  last: { action: core.noop }',
    ];
    const { data_files: files, ...action } = workflow('loop', tasks);
    const content = files[0]!.content.replace('tasks:', 'input: [token]\nvars: [{ count: 0 }]\ntasks:');
    const parameters = { token: { type: 'string', secret: true } };
    const body = { ...action, parameters, data_files: [{ ...files[0]!, content }] };
    await postAs(page, `${api}/api/v1/actions`, body);
    const run = { action: 'default.loop', parameters: { token: 'correct-horse' } };
    const { id } = await postAs(page, `${api}/api/v1/executions`, run);
    await page.goto(`${api}/#/history/${id}`);
    const graph = page.getByRole('region', { name: 'Graph of the workflow' });
    await graph.getByRole('button', { name: /^last succeeded/ }).waitFor();
    await graph.getByRole('button', { name: /^again succeeded 3 runs/ }).click();
    const detail = page.getByRole('region', { name: 'Task again' });
    await detail.getByRole('region', { name: 'Context after, for last' }).getByText('Nothing was published.').waitFor();
    await detail.getByLabel('Run').selectOption('2 of 3, succeeded');
    const after = detail.getByRole('region', { name: 'Context after, for again' });
    await after.getByText('Published: count, address.').waitFor();
    await after.getByText('"********@far"').waitFor();
    expect(await detail.innerText()).not.toContain('correct-horse');
    expect(page.url()).toContain('run=');
    await expectAccessible(page);
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

/** The body that creates a workflow in the pack `default`. */
function workflow(name: string, tasks: readonly string[]) {
  const file = `workflows/${name}.yaml`;
  const content = ['version: 1.0', 'tasks:', ...tasks, ''].join('\n');
  return {
    ...{ name, pack: 'default', runner_type: 'orquesta', entry_point: file },
    data_files: [{ file_path: file, content }],
  };
}
