import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatKeyRing, newKeyRing } from '@switchyard/storage';
import { createExportArchive } from '@switchyard/storage/transfer';
import { eventually } from '@switchyard/testkit/platform';
import { login, type ApiCaller } from './api-caller';
import { run, svc, type Ended } from './run-svc';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;
const SECRET = 'sesame-opens-the-hill';
const LARGE = 400_000;

const base = mkdtempSync(join(tmpdir(), 'svc-backup-'));
const archive = join(base, 'system.tar.gz');
const plain = join(base, 'plain.tar');
let system: SystemProcess;
let ada: ApiCaller;

const place = (name: string): string => join(base, name);
const ok = async (method: string, path: string, body?: unknown) => {
  const answer = await ada.call(method, path, body);
  expect([path, answer.status, answer.status < 300]).toEqual([path, answer.status, true]);
  return answer.body as Record<string, unknown>;
};

async function start(directory: string, packs: readonly string[] = []): Promise<void> {
  system = await startSystem({ directory, packs });
  ada = await login(system.api, system.auth);
}

async function stop(): Promise<void> {
  ada.close();
  await system.stop({ keepData: true });
}

async function request(action: string, parameters: object = {}): Promise<string> {
  return String((await ok('POST', '/v1/executions', { action, parameters }))['id']);
}

async function until(id: string, status: string): Promise<void> {
  await eventually(
    async () => (await ok('GET', `/v1/executions/${id}`))['status'] === status,
    () => `execution ${id} is not ${status}`,
  );
}

/** What the system has, without what its start has added. */
async function shown(): Promise<unknown> {
  const lists: Record<string, unknown> = {};
  for (const path of ['keys?decrypt=true&limit=-1', 'rules', 'actionalias', 'apikeys', 'ruleenforcements'])
    lists[path] = (await ada.call('GET', `/v1/${path}`)).body;
  const ended = [];
  for (const id of executions) {
    const { result, status, log, parameters } = await ok('GET', `/v1/executions/${id}`);
    ended.push({
      id,
      result,
      status,
      log,
      parameters,
      output: (await ada.call('GET', `/v1/executions/${id}/output`)).body,
    });
  }
  return { lists, ended };
}

const executions: string[] = [];
let unfinished: string[] = [];
let before: unknown;

async function fill(): Promise<void> {
  writeFileSync(place('hold'), '');
  for (const name of ['one', 'two'])
    await ok('PUT', `/v1/keys/${name}`, { name, value: SECRET, secret: name === 'two', ttl: 3600 });
  const trigger = { type: 'core.st2.webhook', parameters: { url: 'moved' } };
  const action = { ref: 'core.local', parameters: { cmd: `echo ${SECRET}` } };
  await ok('POST', '/v1/rules', { name: 'moved', pack: 'default', trigger, action, enabled: true });
  await ok('PUT', '/v1/configs/examples', { api_key: SECRET, api_secret: SECRET });
  await ok('POST', '/v1/apikeys', { user: 'testu' });
  executions.push(await request('core.local', { cmd: 'echo one; exit 3' }));
  executions.push(await request('core.local', { cmd: `head -c ${LARGE} /dev/zero | tr '\\0' x` }));
  executions.push(await request('examples.orquesta-basic', { cmd: 'echo two' }));
  await until(executions[0]!, 'failed');
  for (const id of executions.slice(1)) await until(id, 'succeeded');
  const [running, waiting] = [
    await request('core.local', { cmd: `while [ -e ${place('hold')} ]; do sleep 0.1; done` }),
    await request('examples.orquesta-ask-basic'),
  ];
  await until(running, 'running');
  await until(waiting, 'paused');
  unfinished = [running, waiting];
  before = await shown();
}

beforeAll(async () => {
  mkdirSync(place('first'));
  await start(place('first'), [join(ROOT, 'packs/examples')]);
  await fill();
}, 3 * MINUTE);
afterAll(async () => {
  ada.close();
  await system.stop();
  rmSync(base, { recursive: true, force: true });
}, MINUTE);

const into = (name: string, words: readonly string[], path = archive): Promise<Ended> =>
  svc(['import', path, '--data-dir', place(name), ...words]);

it(
  'exports a running system, and the imported one has the same content, settings and history',
  async () => {
    const exported = await svc(['--config-file', system.configFile, 'export', archive, '--with-secrets', '-j']);
    expect(exported).toMatchObject({ code: 0 });
    for (const id of unfinished) expect(exported.stderr).toContain(id);
    expect(exported.stdout + exported.stderr).not.toContain(SECRET);
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    for (const [path, reason] of [
      [place('nowhere/a.tar'), 'There is no directory'],
      [archive, 'exists already'],
    ] as const)
      expect(await svc(['--config-file', system.configFile, 'export', path])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(reason),
      });
    expect(existsSync(join(system.directory, 'store-export'))).toBe(false);
    rmSync(place('hold'));
    await stop();
    expect(await svc(['--config-file', system.configFile, 'export', plain, '--no-history'])).toMatchObject({ code: 0 });

    const checked = await svc(['import', '--check', archive, '-j']);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(checked.stdout)).toEqual(JSON.parse(exported.stdout));
    const imported = await into('second', ['-j']);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    const rows = JSON.parse(imported.stdout) as { name: string; records: number; sha256: string; verified: boolean }[];
    const { collections } = JSON.parse(exported.stdout) as { collections: Record<string, object> };
    for (const [name, count] of Object.entries(collections))
      expect(rows).toContainEqual(expect.objectContaining({ ...count, name, verified: true }));
    expect(rows.map(({ verified }) => verified)).not.toContain(false);
    expect(statSync(join(place('second'), 'keys/record_keys.json')).mode & 0o777).toBe(0o600);
    expect(await svc(['doctor', '--data-dir', place('second')])).toMatchObject({ code: 0 });

    await start(place('second'));
    expect(await shown()).toEqual(before);
    for (const id of unfinished) expect(await ada.call('GET', `/v1/executions/${id}`)).toMatchObject({ status: 404 });
    for (const action of ['examples.orquesta-basic', 'core.local'])
      await until(await request(action, { cmd: 'echo three' }), 'succeeded');
    await stop();
  },
  3 * MINUTE,
);

it(
  'refuses what could lose or mix data, and says what to do',
  async () => {
    expect(await into('second', [])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The store is not empty \(.*executions \d+.*Nothing was changed/),
    });
    expect(await into('third', [], plain)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/third\/keys\/record_keys.json .*does not exist.*--with-secrets/),
    });
    mkdirSync(join(place('third'), 'keys'), { recursive: true });
    const keys = join(place('third'), 'keys/record_keys.json');
    writeFileSync(keys, formatKeyRing(newKeyRing()), { mode: 0o600 });
    expect(await into('third', [])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not in the key file.*--reseal/),
    });
    mkdirSync(join(place('third'), 'configs'), { recursive: true });
    writeFileSync(join(place('third'), 'configs/examples.yaml'), 'api_key: mine\n');
    expect(await into('third', ['--reseal'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('configs/examples.yaml'),
    });
    rmSync(join(place('third'), 'configs'), { recursive: true });
    expect(await into('third', ['--reseal', '--only', 'nothing'])).toMatchObject({ code: 2 });
    const resealed = await into('third', ['--reseal', '--no-history']);
    expect(resealed).toMatchObject({ code: 0, stderr: expect.stringContaining('svc key rotate') });
    expect(resealed.stdout).not.toContain('executions');
    expect(await run(join(ROOT, 'bin/svc-seal'), ['--data-dir', place('third')])).toMatchObject({ code: 0 });
    expect(await svc(['doctor', '--data-dir', place('third')])).toMatchObject({ code: 0 });
  },
  2 * MINUTE,
);

it(
  'recognizes a damaged and an incomplete archive, and writes nothing',
  async () => {
    const bytes = readFileSync(plain);
    const at = bytes.indexOf('"name":"local"');
    const damaged = place('damaged.tar');
    writeFileSync(
      damaged,
      Buffer.concat([bytes.subarray(0, at), Buffer.from('"name":"focal"'), bytes.subarray(at + 14)]),
    );
    const cut = place('cut.tar.gz');
    writeFileSync(cut, readFileSync(archive).subarray(0, 30_000));
    const other = place('other');
    writeFileSync(other, 'no archive');
    const behindLink = place('behind-link.tar');
    const head = { format: 1, id: '1', version: '0', schema: 1, created: '2026-01-01T00:00:00Z', parts: ['content'] } as const; // oxfmt-ignore
    const crafted = await createExportArchive(behindLink, { ...head, source: { driver: 'embedded', host: 'x' } });
    await crafted.file({ name: 'packs/a/b/link', mode: 0o777, content: { link: '../../c' } });
    await crafted.file({ name: 'packs/a/b/link/up', mode: 0o777, content: { link: '../../../d' } });
    await crafted.file({ name: 'packs/a/b/link/up/file', mode: 0o644, content: Buffer.from('x') });
    await crafted.finish({});
    expect(await into('fourth', [], behindLink)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('packs/a/b/link/up is behind a link'),
    });
    for (const [path, reason] of [
      [damaged, /damaged in \w+: expected \d+ with SHA-256/],
      [cut, /damaged or incomplete/],
      [other, /damaged or incomplete|not an archive|incomplete/],
      [place('missing'), /no such file/],
    ] as const) {
      expect(await svc(['import', '--check', path])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(reason),
      });
      expect(await into('fourth', [], path)).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
    }
    expect(existsSync(place('fourth'))).toBe(false);
  },
  MINUTE,
);

/** Kills the command before or after one of its writes of records. */
const killing = (write: number): string => `
  const { Collection } = require(${JSON.stringify(join(ROOT, 'libs/storage/dist/collection.js'))});
  const { insertMany } = Collection.prototype;
  let writes = 0;
  const count = () => ++writes === ${write} && process.kill(process.pid, 'SIGKILL');
  Collection.prototype.insertMany = async function (...given) {
    count();
    await insertMany.apply(this, given);
    count();
  };`;

it(
  'continues an import that was killed, and no service starts with its store before',
  async () => {
    const script = place('kill.js');
    for (const write of [9, 10, 11]) {
      writeFileSync(script, killing(write));
      const words = [
        '-r',
        script,
        join(ROOT, 'apps/cli/dist/main.js'),
        'import',
        archive,
        '--data-dir',
        place('fifth'),
      ];
      expect(await run(process.execPath, words)).toMatchObject({ code: null });
    }
    expect(await run(join(ROOT, 'bin/svc-seal'), ['--data-dir', place('fifth')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('An import into the store has not ended'),
    });
    expect(await into('fifth', [], plain)).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
    const ended = await into('fifth', ['-j']);
    expect(ended).toMatchObject({ code: 0 });
    expect(await into('sixth', ['-j'])).toMatchObject({ code: 0, stdout: ended.stdout });
  },
  2 * MINUTE,
);
