import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient, type Client } from '@switchyard/client';
import { eventually } from '@switchyard/testkit/platform';
import { login, type ApiCaller } from './api-caller';
import { startSystem, type SystemProcess } from './system-process';

const MINUTES = 60_000;

/** Secrets in the configuration file, in the datastore, and in a request to the API. */
const PLANTED = ['planted-7f3a9c', 'deposited-5b21e8', 'replaced-0d44b6'] as const;
const [IN_FILE, IN_DATASTORE, SENT] = PLANTED;

const FILES: Record<string, string> = {
  'configs/vault.yaml': `region: north\ntoken: "{{ st2kv.system.vault_token }}"\nmirror: {host: far, password: ${IN_FILE}}\n`,
  'packs/vault/pack.yaml': 'name: vault\ndescription: d\nversion: 1.0.0\nauthor: a\n',
  'packs/vault/config.schema.yaml': `
region: {type: string}
pin: {type: integer, secret: true}
token: {type: string, secret: true}
mirror:
  type: object
  properties:
    host: {type: string}
    password: {type: string, secret: true}
`,
  'packs/vault/actions/copy.yaml': `
name: copy
runner_type: local-shell-cmd
parameters:
  password: {type: string, default: '{{ config_context.mirror.password }}'}
  mirror: {type: object, default: '{{ config_context.mirror }}'}
  header: {type: array, default: ['Bearer {{ config_context.token }}']}
  region: {type: string, default: '{{ config_context.region }}'}
  cmd: {default: 'test {{ password | length }} = ${IN_FILE.length} && echo in {{ region }}'}
`,
  'packs/vault/actions/number.yaml': `
name: number
runner_type: local-shell-cmd
parameters:
  n: {type: integer, default: '{{ config_context.mirror.password }}'}
`,
  'packs/vault/actions/passing.yaml': 'name: passing\nrunner_type: action-chain\nentry_point: chains/passing.yaml\n',
  'packs/vault/actions/chains/passing.yaml': `
vars:
  way: '{{ config_context.mirror.password }}@{{ config_context.mirror.host }}'
chain:
  - name: one
    ref: core.local
    parameters: {cmd: 'true {{ config_context.token }} {{ way }}'}
    publish: {kept: '{{ config_context.token }}', open: '{{ config_context.region }}'}
    on-success: two
  - name: two
    ref: core.local
    parameters: {cmd: 'true {{ kept }}'}
`,
  'packs/vault/actions/script.yaml': 'name: script\nrunner_type: node-script\nentry_point: script.js\n',
  'packs/vault/actions/script.js': `
module.exports = async (parameters, service, config) => ({
  read: config.mirror.password === '${IN_FILE}' && config.token === '${IN_DATASTORE}',
  shown: JSON.stringify([process.env, process.argv]).includes('${IN_FILE}'),
});
`,
};

describe('the secrets of a configuration', () => {
  let directory: string;
  let system: SystemProcess;
  let caller: ApiCaller;
  let client: Client;
  let stream: IncomingMessage;
  let told = '';

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'svc-config-secrets-'));
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), text);
    }
    system = await startSystem({ directory });
    caller = await login(system.api, system.auth);
    const addresses = { apiUrl: `${system.api}/v1`, authUrl: system.auth, streamUrl: `${system.stream}/v1` };
    const { token } = await createClient(addresses).tokens.create({ user: 'testu', password: 'testp' });
    client = createClient({ ...addresses, token });
    stream = await opened(`${system.stream}/v1/stream?x-auth-token=${token}`);
    stream.setEncoding('utf8').on('data', (part: string) => void (told += part));
    const item = { name: 'vault_token', value: IN_DATASTORE, secret: true };
    expect((await caller.call('PUT', '/v1/keys/vault_token', item)).status).toBe(200);
  }, 2 * MINUTES);

  afterAll(async () => {
    stream?.destroy();
    caller?.close();
    await system?.stop();
    if (directory) rmSync(directory, { recursive: true, force: true });
  });

  async function run(action: string) {
    const { id } = await client.executions.create({ action, parameters: {} });
    const { status, result } = await client.executions.wait(id);
    return { id, status, result };
  }

  it('reach actions only', async () => {
    const copied = await run('vault.copy');
    expect(copied).toMatchObject({ status: 'succeeded', result: { stdout: 'in north' } });
    const { body } = await caller.call('GET', `/v1/executions/${copied.id}`);
    const mask = '********';
    expect(body.parameters).toEqual({ password: mask, mirror: mask, header: mask, cmd: mask, region: 'north' });
    const passed = await run('vault.passing');
    expect(passed).toMatchObject({ status: 'succeeded', result: { published: { kept: mask, open: 'north' } } });
    expect(await run('vault.script')).toMatchObject({ result: { result: { read: true, shown: false } } });
    const ended = () =>
      [copied.id, passed.id].every((id) => told.includes(`"id":"${id}"`) && told.includes('succeeded'));
    await eventually(ended, () => 'an event on the stream');
  });

  it('do not appear in messages', async () => {
    const refused = await caller.call('POST', '/v1/executions', { action: 'vault.number' });
    expect([refused.status, refused.body.faultstring]).toEqual([400, expect.stringContaining('********')]);
    const wrong = await caller.call('PUT', '/v1/configs/vault', { mirror: { password: [SENT] }, pin: SENT });
    expect([wrong.status, wrong.body.faultstring]).toEqual([400, expect.stringContaining('********')]);
    writeFileSync(join(directory, 'configs/vault.yaml'), `pin: ${SENT}\n`);
    const bad = await caller.call('POST', '/v1/packs/register', {
      packs: ['vault'],
      types: ['configs'],
      fail_on_failure: true,
    });
    expect([bad.status, bad.body.faultstring]).toEqual([400, expect.stringContaining('"pin"')]);
    expect(JSON.stringify([refused, wrong, bad].map(({ body }) => body))).not.toMatch(planted);
  });

  it('appear in responses only if an administrator asks for them', async () => {
    const changed = { region: 'south', token: SENT, mirror: { host: 'far', password: '********' } };
    const answers = [
      await caller.call('PUT', '/v1/configs/vault', changed),
      await caller.call('GET', '/v1/configs'),
      await caller.call('GET', '/v1/configs/vault'),
      await caller.call('GET', '/v1/config_schemas/vault'),
      await caller.call('GET', '/v1/executions?limit=100'),
      await caller.call('GET', '/v1/executions?limit=100&include_attributes=parameters,result,context'),
      await caller.call('GET', '/v1/actions/views/overview/vault.copy'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { body } of answers) expect(planted.exec(JSON.stringify(body))).toBeNull();
    const { body } = await caller.call('GET', '/v1/configs/vault?show_secrets=true');
    expect(body.values).toEqual({ ...changed, mirror: { host: 'far', password: IN_FILE } });
  });

  it('do not appear in the stream, the logs, or the files of the store', () => {
    expect(told.includes('vault.copy')).toBe(true);
    expect(planted.exec(told)).toBeNull();
    expect(planted.exec(system.output())).toBeNull();
    const files = ['store', 'logs'].flatMap((part) => filesBelow(join(directory, part)));
    expect(files.some((file) => readFileSync(file).includes('config_context.mirror'))).toBe(true);
    for (const file of files)
      for (const secret of PLANTED) expect([file, readFileSync(file).includes(secret)]).toEqual([file, false]);
  });
});

const planted = new RegExp(PLANTED.join('|'));

const opened = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => void get(url, { agent: false }, resolve).on('error', reject));

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
