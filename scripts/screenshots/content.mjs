// What the screenshots show: a small system with some history.
import { setTimeout as delay } from 'node:timers/promises';

const rule = (name, description, trigger, more = {}) => ({
  ...{ name, description, pack: 'default', enabled: true, trigger, criteria: {} },
  ...{ action: { ref: 'core.echo', parameters: { message: description } } },
  ...more,
});

const RULES = [
  rule('deploy', 'Announces a deployment', webhook('deploy'), {
    criteria: { 'trigger.body.environment': { type: 'equals', pattern: 'production' } },
  }),
  rule('restart', 'Restarts the shop when the monitor reports it', webhook('alerts'), {
    criteria: { 'trigger.body.service': { type: 'equals', pattern: 'shop' } },
    action: { ref: 'core.local', parameters: { cmd: 'echo restarted {{ trigger.body.service }}' } },
  }),
  rule('cleanup', 'Removes old files', {
    type: 'core.st2.CronTimer',
    parameters: { hour: 3, minute: 30, second: 0, timezone: 'UTC' },
  }),
  rule('report', 'Sends the weekly report', {
    type: 'core.st2.CronTimer',
    parameters: { day_of_week: 'mon', hour: 8, minute: 0, second: 0, timezone: 'UTC' },
  }),
  rule('check', 'Checks the certificates', { type: 'core.st2.IntervalTimer', parameters: { unit: 'hours', delta: 6 } }),
];

function webhook(url) {
  return { type: 'core.st2.webhook', parameters: { url } };
}

const RUNS = [
  ['core.local', { cmd: 'df -h /srv' }],
  ['core.local', { cmd: 'echo "3 packages to update"' }],
  ['core.local', { cmd: 'echo "web2 does not answer" >&2; exit 4' }],
  ['core.echo', { message: 'The backup is complete' }],
  ['examples.orquesta-basic', { cmd: 'hostname' }],
  ['examples.orquesta-join', {}],
  ['core.local', { cmd: 'exit 7' }],
  ['core.noop', {}],
];

/** A workflow in the pack `default`, as the API creates it. */
const workflow = (name, tasks) => ({
  ...{ name, pack: 'default', runner_type: 'orquesta', entry_point: `workflows/${name}.yaml` },
  data_files: [{ file_path: `workflows/${name}.yaml`, content: `version: 1.0\ntasks:\n${tasks}` }],
});

/** The second one runs the first one, which fails. */
const FAILING = [
  workflow('copy', '  write:\n    action: core.local cmd="echo No space left on /srv >&2; exit 3"\n'),
  workflow(
    'release',
    `  prepare:
    action: core.noop
    next: [{ do: copy }]
  copy:
    action: default.copy
    next: [{ when: <% succeeded() %>, do: announce }]
  announce:
    action: core.echo message="released"
`,
  ),
];

/**
 * Fills a system.
 * @param api calls it as an administrator
 * @returns the ids of records that pages show
 */
export async function fillSystem(api) {
  const send = async (method, path, body) => {
    const { status, body: answer } = await api.call(method, `/v1/${path}`, body);
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${answer.faultstring}`);
    return answer;
  };
  const run = (action, parameters) => send('POST', 'executions', { action, parameters });
  for (const each of RULES) await send('POST', 'rules', each);
  const runs = [];
  for (const [action, parameters] of RUNS) runs.push(await run(action, parameters));
  const compared = [];
  for (const cmd of ['printf "web1 ok\\nweb2 ok\\n"', 'printf "web1 ok\\nweb2 down\\n"; exit 2'])
    compared.push(await run('core.local', { cmd }));
  const lines = 'for step in 1 2 3; do printf "\\033[32mstep $step done\\033[0m\\n"; done; echo "3 hosts updated"';
  const shown = await run('core.local', { cmd: lines });
  for (const each of FAILING) await send('POST', 'actions', each);
  const failed = await run('default.release', {});
  await run('examples.orquesta-ask-basic', {});
  for (const body of [{ environment: 'production' }, { environment: 'staging' }])
    await send('POST', 'webhooks/deploy', body);
  await send('POST', 'webhooks/alerts', { service: 'shop', state: 'down' });
  await send('POST', 'policies', {
    ...{
      name: 'five_at_a_time',
      pack: 'default',
      description: 'At most five commands at the same time',
      enabled: true,
    },
    ...{ resource_ref: 'core.local', policy_type: 'action.concurrency', parameters: { threshold: 5, action: 'delay' } },
  });
  await send('PUT', 'keys/release', { name: 'release', value: '2.4.1' });
  await send('PUT', 'keys/hosts', { name: 'hosts', value: 'web1, web2, db1' });
  await send('PUT', 'keys/db_password', { name: 'db_password', value: 'hidden', secret: true });
  await send('PUT', 'keys/lock', { name: 'lock', value: 'ada', ttl: 5400 });
  await send('POST', 'apikeys', {
    metadata: { purpose: 'chat bot' },
    permission_grants: [{ resource_uid: 'pack:core', permission_types: ['action_execute'] }],
  });
  await send('POST', 'apikeys', { metadata: { purpose: 'monitoring' } });
  await ended(send, [...runs, ...compared, shown, failed]);
  const events = await listed(
    () => send('GET', 'triggerinstances?trigger_type=core.st2.webhook'),
    (found) => found.length >= 3 && found.every(({ status }) => status === 'processed'),
  );
  // The trail is written a moment after the change.
  const [record] = await listed(
    () => send('GET', 'audit?operation=rules.post&limit=1'),
    (found) => found.length > 0,
  );
  return {
    execution: shown.id,
    failure: failed.id,
    workflow: runs.find(({ action }) => action.ref === 'examples.orquesta-join').id,
    compared: compared.map(({ id }) => id),
    event: events.find(({ payload }) => payload.body.environment === 'production').id,
    record: record.id,
  };
}

const ended = (send, executions) =>
  Promise.all(
    executions.map(async ({ id }) => {
      while (!(await send('GET', `executions/${id}`)).end_timestamp) await delay(200);
    }),
  );

/** Repeats a request until its list is as it should be. */
async function listed(list, isComplete) {
  for (;;) {
    const found = await list();
    if (isComplete(found)) return found;
    await delay(200);
  }
}
