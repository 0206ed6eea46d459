/// <reference types="jest" />

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { enterCredentials, expectAccessible, logIn, postAs, visit, type Site } from './browser';

const MORE = '\n        do: bye\n  bye:\n    action: core.noop\noutput:';

export function editorStories(siteOf: () => Site): void {
  const fileOf = (path: string) => readFileSync(join(siteOf().system.directory, 'packs/default/actions', path), 'utf8');
  const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Definition of the workflow' });
  const findingsOf = (page: Page) => page.getByRole('region', { name: 'Findings' });
  const soundText = (page: Page) => findingsOf(page).getByText('The inspection found no problems.').waitFor();
  const graphOf = (page: Page) => page.getByRole('region', { name: 'Graph of the workflow' });

  it('show the finding of a broken workflow at its line, draw the mended one, save and run it', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await postAs(page, `${siteOf().system.api}/api/v1/actions/examples.orquesta-join/clone`, {
      dest_pack: 'default',
      dest_action: 'joined',
    });
    await page.goto(`${siteOf().system.api}/#/actions/default.joined`);
    await page.getByRole('link', { name: 'Edit the workflow' }).press('Enter');
    await graphOf(page).getByRole('button', { name: 'meet join, core.echo' }).waitFor();
    await soundText(page);
    const sound = fileOf('workflows/joined.yaml');

    await editorOf(page).fill(sound.replace('do: left, right', 'do: left, wrong'));
    const finding = findingsOf(page).getByRole('button', { name: 'line 9 The task "wrong" is not defined.' });
    await finding.waitFor();
    await page
      .locator('.cm-line', { has: page.locator('.cm-lintRange-error') })
      .getByText('do: left, wrong')
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('The workflow is not valid: The task "wrong" is not defined. (line 9)').waitFor();
    await finding.press('Enter');
    await page.locator('.cm-activeLine', { hasText: 'do: left, wrong' }).waitFor();

    await editorOf(page).fill('tasks: [');
    await findingsOf(page)
      .getByRole('button', { name: /^line 1 Failed to load workflow definition/ })
      .waitFor();
    await graphOf(page).getByRole('button', { name: /^meet/ }).waitFor();
    await editorOf(page).fill(sound.replace('\noutput:', MORE));
    await soundText(page);
    await graphOf(page).getByRole('button', { name: 'bye core.noop' }).press('Enter');
    await page.locator('.cm-activeLine', { hasText: 'bye:' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('New runs of default.joined use it.').waitFor();
    expect(fileOf('workflows/joined.yaml')).toContain(MORE);
    await page.getByRole('link', { name: 'Run' }).press('Enter');
    await page.getByText('Joins two branches.').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).press('Enter');
    await graphOf(page)
      .getByRole('button', { name: /^bye succeeded/ })
      .waitFor();
    expect(errors).toEqual([]);
  });

  it('complete what is typed, and do not lose or overwrite changes', async () => {
    const { page, errors } = await visit(siteOf().browser);
    await logIn(page, `${siteOf().system.api}/`);
    await page.goto(`${siteOf().system.api}/#/workflows/default.joined/edit`);
    await soundText(page);
    await editorOf(page).fill('version: 1.0\ntasks:\n  first:\n    ');
    await editorOf(page).press('Control+End');
    await page.keyboard.type('act');
    await page.getByRole('option', { name: /action\s*The action to run/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.keyboard.type('core.noo');
    // The library ignores an Enter that follows the list within 75 ms.
    await page.getByRole('option', { name: /core\.noop/ }).click();
    await editorOf(page).getByText('action: core.noop').waitFor();
    await soundText(page);

    const otherTab = await page.context().newPage();
    await otherTab.goto(siteOf().system.api);
    await otherTab.getByRole('button', { name: 'Log out' }).click();
    await enterCredentials(page);
    await editorOf(page).getByText('action: core.noop').waitFor();

    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('dialog').getByText('Your changes of the workflow would be lost.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stay' }).click();

    await postAs(page, `${siteOf().system.api}/api/v1/actions/examples.orquesta-basic/clone`, {
      dest_pack: 'default',
      dest_action: 'joined',
      overwrite: true,
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Someone else has changed this workflow').waitFor();
    await expectAccessible(page);
    expect(fileOf('workflows/joined.yaml')).not.toContain('first:');
    await page.getByRole('button', { name: 'Keep mine' }).click();

    // The other author saves just after this page has found the workflow unchanged.
    let isSaved = false;
    await page.route('**/api/v1/actions/default.joined', async (route) => {
      if (!isSaved && route.request().method() === 'PUT') {
        isSaved = true;
        const body = route.request().postDataJSON() as { data_files: { content: string }[] };
        body.data_files[0]!.content = `# Theirs\n${body.data_files[0]!.content}`;
        expect((await route.fetch({ postData: JSON.stringify(body) })).status()).toBe(200);
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Someone else has changed this workflow').waitFor();
    expect(fileOf('workflows/joined.yaml')).toContain('# Theirs');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('New runs of default.joined use it.').waitFor();
    expect(fileOf('workflows/joined.yaml')).not.toContain('# Theirs');
    expect(fileOf('workflows/joined.yaml')).toContain('first:');
    // The browser logs the refused request.
    expect(errors).toEqual([expect.stringContaining('412')]);
  });

  it('create a workflow by keyboard, with parameters made from its inputs, and rehearse it', async () => {
    const { page, errors } = await visit(siteOf().browser, { colorScheme: 'dark' });
    await logIn(page, `${siteOf().system.api}/`);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to' }).fill('new workflow');
    await page.getByRole('button', { name: /^New workflow/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New workflow' }).waitFor();
    await editorOf(page).fill(
      'version: 1.0\ninput:\n  - who\n  - times: 2\ntasks:\n  greet:\n    action: core.echo message="<% ctx(who) %>"\n',
    );
    await page.getByRole('button', { name: 'Add the inputs of the definition' }).press('Enter');
    await page.getByRole('textbox', { name: 'Parameters of the workflow' }).getByText('type: integer').waitFor();
    await graphOf(page).getByRole('button', { name: 'greet core.echo' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Write a rehearsal' }).press('Enter');
    await page.getByRole('textbox', { name: 'Text of the rehearsal' }).getByText('task_id: greet').waitFor();
    await page.getByRole('button', { name: 'Create' }).press('Enter');
    await page.getByText('Choose the pack of the workflow.').waitFor();
    await page.getByRole('textbox', { name: 'Pack' }).fill('default');
    await page.getByRole('option', { name: 'default' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('greet');
    await page.getByRole('textbox', { name: 'Description' }).fill('Greets somebody.');
    await page.getByRole('button', { name: 'Create' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'default.greet' }).waitFor();
    expect(fileOf('greet.yaml')).toBe(
      [
        'name: greet',
        'description: Greets somebody.',
        'parameters:',
        '  who:',
        '    type: string',
        '    required: true',
        '  times:',
        '    type: integer',
        '    default: 2',
        'runner_type: orquesta',
        'entry_point: workflows/greet.yaml',
        'enabled: true',
        '',
      ].join('\n'),
    );
    const rehearsal = page.getByRole('textbox', { name: 'Text of the rehearsal' });
    await rehearsal.fill('inputs: {who: you}\nmock_action_executions:\n  - task_id: greet\n    result_path: x');
    await page.getByRole('button', { name: 'Rehearse' }).press('Enter');
    await page.getByRole('alert').getByText('Line 4: "result_path" names a file').waitFor();
    await rehearsal.fill('inputs: {who: you}\nmock_action_executions: [{task_id: greet, status: failed}]');
    await page.getByRole('button', { name: 'Rehearse' }).press('Enter');
    const outcome = page.getByRole('region', { name: 'Outcome of the rehearsal' });
    await outcome.getByText('1 difference from the expected outcome.').waitFor();
    await outcome.getByRole('row', { name: 'workflow status "succeeded" "failed"' }).waitFor();
    await outcome.getByRole('row', { name: '1 greet failed {"message":"you"}' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Expect this outcome' }).press('Enter');
    await outcome.getByText('The texts have changed since.').waitFor();
    await rehearsal.getByText('expected_workflow_status: failed').waitFor();
    await page.getByRole('button', { name: 'Rehearse' }).press('Enter');
    await outcome.getByText('The outcome is as expected.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Run' }).press('Enter');
    await page.getByLabel('who').fill('you');
    await page.getByRole('button', { name: 'Run', exact: true }).press('Enter');
    await graphOf(page)
      .getByRole('button', { name: /^greet succeeded/ })
      .waitFor();
    expect(errors).toEqual([]);
  });
}
