import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseKeyRing } from '@switchyard/storage';
import { openEmbedded } from '@switchyard/storage/embedded';
import { eventually } from '@switchyard/testkit/platform';
import { collectionNames } from '../../libs/storage/test/support/damage';
import { login, type ApiCaller } from './api-caller';
import { run, svc, type Ended } from './run-svc';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;
const SECRET = 'sesame-opens-the-mountain';
const ITEMS = 40;
/** The encrypted values of this system, besides items. */
const RECORDS = ['action_aliases', 'configs', 'executions', 'rules', 'workflow_journal'];

let system: SystemProcess;
let ada: ApiCaller;

const files = () => ['record_keys.json', 'datastore_key.json'].map((name) => join(system.directory, 'keys', name));
const rings = () => files().map((path) => parseKeyRing(readFileSync(path, 'utf8')));
const keyCounts = () => rings().map(({ keys }) => Object.keys(keys).length);

async function ok(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await ada.call(method, path, body);
  expect([path, answer.status, answer.status < 300]).toEqual([path, answer.status, true]);
  return answer.body;
}

async function start(directory?: string): Promise<void> {
  const packs = [join(ROOT, 'packs/examples')];
  system = await startSystem({ packs, ...(directory !== undefined && { directory }) });
  ada = await login(system.api, system.auth);
}

async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  ada.close();
  await system.stop({ signal, keepData: true });
}

/** The command line against the running system. */
async function online(...words: string[]): Promise<Ended> {
  const servers = ['--api-url', `${system.api}/v1`, '--auth-url', system.auth];
  const { stdout: token } = await svc([...servers, 'auth', 'testu', '-p', 'testp', '-t']);
  return svc([...servers, ...words, '-t', token.trim()]);
}

const seal = (...words: string[]): Promise<Ended> =>
  run(join(ROOT, 'bin/svc-seal'), ['--data-dir', system.directory, ...words]);

const ran = async (): Promise<string> => {
  const body = { action: 'core.http', parameters: { url: 'http://127.0.0.1:1/', password: SECRET } };
  return ((await ok('POST', '/v1/executions', body)) as { id: string }).id;
};

const executions: string[] = [];

async function fill(): Promise<void> {
  for (let n = 0; n < ITEMS; n++)
    await ok('PUT', `/v1/keys/item${n}`, { name: `item${n}`, value: `${SECRET} ${n}`, secret: true });
  for (let n = 0; n < 5; n++) executions.push(await ran());
  const action = { ref: 'core.local', parameters: { cmd: SECRET } };
  const trigger = { type: 'core.st2.webhook', parameters: { url: 'sealed' } };
  await ok('POST', '/v1/rules', { name: 'sealed', pack: 'default', trigger, action });
  const alias = { name: 'sealed', pack: 'default', action_ref: 'core.local', formats: ['seal'] };
  await ok('POST', '/v1/actionalias', { ...alias, immutable_parameters: { cmd: SECRET } });
  await ok('PUT', '/v1/configs/examples', { api_key: SECRET, api_secret: SECRET });
  const { id } = (await ok('POST', '/v1/executions', {
    action: 'examples.orquesta-basic',
    parameters: { cmd: 'true' },
  })) as { id: string };
  await eventually(
    async () => ((await ok('GET', `/v1/executions/${id}`)) as { status: string }).status === 'succeeded',
    () => 'the workflow has not succeeded',
  );
}

/** The collections of a stopped system with texts that a key has encrypted. */
async function collectionsUnder(key: string): Promise<string[]> {
  const directory = join(system.directory, 'store');
  const names = collectionNames(directory);
  const connection = await openEmbedded({ directory });
  try {
    const found: string[] = [];
    for (const name of names)
      for await (const record of connection.db!.collection(name).find({}))
        if (JSON.stringify(record).includes(`v1.${key}.`)) found.push(name);
    return [...new Set(found)].sort();
  } finally {
    await connection.close();
  }
}

async function readAll(): Promise<void> {
  for (let n = 0; n < ITEMS; n++)
    expect(await ok('GET', `/v1/keys/item${n}?decrypt=true`)).toMatchObject({ value: `${SECRET} ${n}` });
  for (const id of executions)
    expect(await ok('GET', `/v1/executions/${id}?show_secrets=true`)).toMatchObject({
      parameters: { password: SECRET },
    });
}

beforeAll(async () => {
  await start();
  await fill();
}, 3 * MINUTE);
afterAll(async () => {
  ada.close();
  await system.stop();
}, MINUTE);

it(
  'svc key rotate gives a running system new keys, and removes the former ones on request',
  async () => {
    const before = rings().map(({ current }) => current);
    expect(await online('key', 'rotate', '--check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('never been rotated'),
    });
    expect(await online('key', 'rotate')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/secrets were encrypted again\.\n.*svc key rotate --retire/s),
    });
    expect(rings().map(({ current }) => current)).not.toEqual(before);
    expect(keyCounts()).toEqual([2, 2]);
    await readAll();
    expect(await online('key', 'rotate', '--retire')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The former keys were removed.'),
    });
    expect(keyCounts()).toEqual([1, 1]);
    const report = await online('key', 'rotate', '--check', '-j');
    expect(JSON.parse(report.stdout)).toMatchObject({ stage: 'retired', waiting_for: [] });
    await readAll();
    for (const path of files())
      for (const key of Object.values(parseKeyRing(readFileSync(path, 'utf8')).keys))
        for (const text of [system.output(), report.stdout]) expect(text).not.toContain(key.toString('base64'));
  },
  2 * MINUTE,
);

it(
  'a system that is killed during a rotation finishes it after the next start',
  async () => {
    await ok('POST', '/v1/key_rotation', {});
    await stop('SIGKILL');
    await start(system.directory);
    await eventually(
      async () => ((await ok('GET', '/v1/key_rotation')) as { stage: string }).stage === 'resealed',
      () => 'the rotation is not over',
    );
    await ok('POST', '/v1/key_rotation', { retire: true });
    await eventually(
      async () => ((await ok('GET', '/v1/key_rotation')) as { stage: string }).stage === 'retired',
      () => 'the former keys are not removed',
    );
    expect(keyCounts()).toEqual([1, 1]);
    await readAll();
  },
  3 * MINUTE,
);

it(
  'svc-seal gives a stopped system new keys, and refuses what could lose secrets',
  async () => {
    expect(await seal()).toMatchObject({ code: 1, stderr: expect.stringMatching(/in use by process \d+/) });
    await stop();
    const before = rings();
    const [ofRecords, ofItems] = before.map(({ current }) => current) as [string, string];
    expect(await collectionsUnder(ofRecords)).toEqual(RECORDS);
    expect(await collectionsUnder(ofItems)).toEqual(['key_values']);
    const [records] = files() as [string, string];
    chmodSync(records, 0o644);
    expect(await seal()).toMatchObject({ code: 1, stderr: expect.stringContaining('its mode is 644, expected 600') });
    chmodSync(records, 0o600);
    expect(await seal()).toMatchObject({ code: 0, stdout: expect.stringContaining('secrets were encrypted again') });
    expect(keyCounts()).toEqual([2, 2]);
    expect(await seal('--retire')).toMatchObject({ code: 0, stdout: expect.stringContaining('were removed') });
    expect(keyCounts()).toEqual([1, 1]);
    expect(rings().map(({ current }) => current)).not.toEqual(before.map(({ current }) => current));
    // Payloads of events keep their copies of encrypted items, which nothing decrypts.
    for (const key of [ofRecords, ofItems]) expect(await collectionsUnder(key)).toEqual([]);
    const kept = readFileSync(records);
    rmSync(records);
    expect(await seal()).toMatchObject({ code: 1, stderr: expect.stringContaining('it does not exist') });
    writeFileSync(records, kept, { mode: 0o600 });
    expect(await svc(['doctor', '--data-dir', system.directory])).toMatchObject({ code: 0 });
    await start(system.directory);
    await readAll();
  },
  3 * MINUTE,
);
