// The pages of the console, each with its address and with what to wait for.

const heading = (name) => (page) => page.getByRole('heading', { level: 1, name }).waitFor();
const text = (what) => (page) => page.getByText(what).first().waitFor();
const link = (name) => (page) => page.getByRole('link', { name }).first().waitFor();

/** @param ids of the records that pages show */
export const shownPages = ({ execution, failure, workflow, compared: [first, second], event, record }) => [
  { name: 'overview', path: '/', ready: charted },
  { name: 'history', path: '/history', ready: text('core.noop') },
  { name: 'execution', path: `/history/${execution}?tab=output`, ready: text('3 hosts updated') },
  { name: 'workflow', path: `/history/${workflow}?task=meet`, ready: drawn },
  { name: 'failure', path: `/history/${failure}?task=copy`, ready: explained },
  { name: 'compare', path: `/history/${first}/compare/${second}?only=differences`, ready: text('web2 down') },
  { name: 'actions', path: '/actions', ready: link(/^local /) },
  { name: 'action', path: '/actions/core.local', ready: link('five_at_a_time') },
  { name: 'editor', path: '/workflows/examples.orquesta-join/edit', ready: drawn },
  { name: 'rehearsal', path: '/workflows/examples.orquesta-join/edit', ready: rehearsed },
  { name: 'rules', path: '/rules', ready: text('default.deploy') },
  { name: 'rule', path: '/rules/default.deploy', ready: backtested },
  { name: 'events', path: '/events?type=core.st2.webhook', ready: text('default.deploy') },
  { name: 'event', path: `/events/${event}`, ready: link('Execution') },
  { name: 'triggers', path: '/triggers', ready: link(/st2\.webhook/) },
  { name: 'trigger', path: '/triggers/core.st2.webhook', ready: link('default.deploy') },
  { name: 'webhooks', path: '/webhooks', ready: text('deploy') },
  { name: 'timers', path: '/timers?view=calendar', ready: link('default.cleanup') },
  { name: 'sensors', path: '/sensors', ready: link(/FileWatchSensor/) },
  { name: 'sensor', path: '/sensors/linux.FileWatchSensor', ready: heading('linux.FileWatchSensor') },
  { name: 'policies', path: '/policies', ready: link('five_at_a_time') },
  { name: 'policy', path: '/policies/default.five_at_a_time', ready: heading(/five_at_a_time/) },
  { name: 'aliases', path: '/aliases', ready: triedAlias },
  { name: 'inquiries', path: '/inquiries', ready: text('Question for examples') },
  { name: 'packs', path: '/packs', ready: link(/examples/) },
  { name: 'pack', path: '/packs/examples', ready: text('# Examples') },
  { name: 'datastore', path: '/datastore', ready: text('db_password') },
  { name: 'status', path: '/status', ready: heading('Status') },
  { name: 'apikeys', path: '/apikeys', ready: text('chat bot') },
  { name: 'roles', path: '/roles', ready: heading(/role/i) },
  { name: 'audit', path: '/audit', ready: link('rules.post') },
  { name: 'audit-record', path: `/audit/${record}`, ready: heading('rules.post') },
  { name: 'sessions', path: '/sessions', ready: heading(/sessions/i) },
];

/** Both charts have been drawn. */
async function charted(page) {
  await page
    .getByRole('link', { name: /failed core\.local/ })
    .first()
    .waitFor();
  await page.getByRole('img').locator('canvas').nth(1).waitFor();
}

async function explained(page) {
  await page.getByText('No space left on /srv').first().waitFor();
  await page.getByRole('button', { name: /^copy failed/ }).waitFor();
}

const REHEARSAL = `mock_action_executions:
  - task_id: left
    result: { stdout: from the left }
  - task_id: right
    result: { stdout: from the right }
  - task_id: meet
    result: { stdout: both have met }
expected_task_sequence: [start, left, right, meet, continue]
expected_output: { met: both have met }
`;

async function drawn(page) {
  await page.getByRole('region', { name: 'Graph of the workflow' }).getByRole('button', { name: /^meet/ }).waitFor();
}

async function rehearsed(page) {
  await drawn(page);
  await page.getByRole('button', { name: 'Write a rehearsal' }).click();
  await page.getByRole('textbox', { name: 'Text of the rehearsal' }).fill(REHEARSAL);
  await page.getByRole('button', { name: 'Rehearse' }).click();
  await page.getByText('The outcome is as expected.').waitFor();
  await page.getByRole('region', { name: 'Rehearsal', exact: true }).scrollIntoViewIfNeeded();
}

async function backtested(page) {
  await page.getByRole('button', { name: 'Test on events' }).click();
  await page.getByText(/events match\. Nothing was run\./).waitFor();
}

async function triedAlias(page) {
  await page.getByRole('textbox', { name: 'Try a command' }).fill('pack get core');
  await page.getByRole('button', { name: 'Show the alias' }).click();
  await page.getByRole('list', { name: 'Parameters' }).waitFor();
}
