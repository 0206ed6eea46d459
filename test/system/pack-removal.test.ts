import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClient, type Client, type Execution } from '@switchyard/client';
import { eventually } from '@switchyard/testkit/platform';
import { isInstalled } from '@switchyard/testkit/needed-programs';
import { login, type ApiCaller } from './api-caller';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTES = 60_000;
const BEACON = join(ROOT, 'test/packs/beacon');

const describePython = isInstalled('python3', 'tests of finding and removing packs') ? describe : describe.skip;

interface Ended extends Execution {
  // Results of any shape, so that tests need no casts.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  result: any;
}

const web = {
  name: 'web',
  version: '1.0.0',
  description: 'Pages.',
  keywords: ['http', 'html'],
  email: 'http@x.invalid',
};
const proxy = { name: 'http_proxy', version: '0.1.0', description: 'Between others.', keywords: [] };
const mail = { name: 'mail', version: '2.0.0', description: 'Letters, not HTTP.', keywords: ['smtp'] };
const archive = {
  name: 'archive',
  version: '3.0.0',
  keywords: ['old'],
  email: 'http@x.invalid',
  repo_url: 'http://x.invalid',
};
/** The packs `tagged` and `plain` are git repositories below this directory. */
const indexTexts = (repositories: string): Record<string, string> => {
  const at = (name: string, version: string) => ({ name, version, repo_url: `file://${join(repositories, name)}` });
  const listed = { tagged: at('tagged', '1.0.0'), plain: at('plain', '0.1.0'), behind: at('plain', '7.0.0') };
  return {
    '/first.json': JSON.stringify({ packs: { mail, web, http_proxy: proxy, archive, ...listed }, metadata: {} }),
    '/second.json': JSON.stringify({ packs: { web: { ...web, version: '9.0.0' }, late: { name: 'late' } } }),
    '/malformed.json': 'not JSON',
  };
};

describePython('packs', () => {
  let directory: string;
  let system: SystemProcess;
  let caller: ApiCaller;
  let client: Client;
  let indexes: Server;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'svc-pack-removal-'));
    makeRepository(join(directory, 'repositories/tagged'), ['1.0.0', '2.0.0'], { tags: true });
    makeRepository(join(directory, 'repositories/plain'), ['0.1.0'], { tags: false });
    const texts = indexTexts(join(directory, 'repositories'));
    indexes = createServer(({ url = '' }, response) => {
      const text = texts[url];
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(text);
    });
    await new Promise<void>((resolve) => indexes.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(indexes.address() as AddressInfo).port}`;
    const addresses = ['first', 'malformed', 'second'].map((name) => `${address}/${name}.json`).join(', ');
    mkdirSync(join(directory, 'configs'));
    writeFileSync(join(directory, 'configs/beacon.yaml'), `spool: ${join(directory, 'spool')}\n`);
    cpSync(BEACON, join(directory, 'packs/beacon'), { recursive: true });
    mkdirSync(join(directory, 'packs/beacon/policies'));
    writeFileSync(join(directory, 'packs/beacon/policies/one_at_a_time.yaml'), POLICY);
    system = await startSystem({
      directory,
      config: `[packs]\nenable_common_libs = True\n[content]\nindex_url = ${addresses}\n`,
    });
    caller = await login(system.api, system.auth);
    client = await clientOf(system);
  }, 2 * MINUTES);

  afterAll(async () => {
    caller?.close();
    await system?.stop();
    indexes?.close();
    if (directory) rmSync(directory, { recursive: true, force: true });
  }, 2 * MINUTES);

  async function run(action: string, parameters: Record<string, unknown> = {}): Promise<Ended> {
    const { id } = await client.executions.create({ action, parameters });
    return (await client.executions.wait(id)) as Ended;
  }

  describe('are found in the indexes of the configuration', () => {
    it.each([
      ['HTTP', ['http_proxy', 'web', 'mail']],
      ['letters', ['mail']],
      ['late', ['late']],
      ['nothing like it', []],
    ])(
      'by %s',
      async (query, names) => {
        const { status, result } = await run('packs.search', { query });
        expect([status, result.result.map(({ name }: { name: string }) => name)]).toEqual(['succeeded', names]);
      },
      MINUTES,
    );

    it.each([
      ['web', web],
      ['nothing', null],
    ])(
      'under the name %s',
      async (pack, found) => {
        const { status, result } = await run('packs.show', { pack });
        expect([status, result.result]).toEqual(['succeeded', { pack: found }]);
      },
      MINUTES,
    );
  });

  describe('are installed by their names in the index', () => {
    const versionOf = async (pack: string) => (await caller.call('GET', `/v1/packs/${pack}`)).body.version;

    async function install(...packs: string[]): Promise<Ended> {
      const { status, body } = await caller.call('POST', '/v1/packs/install', { packs });
      expect(status).toBe(202);
      return (await client.executions.wait(body.execution_id)) as Ended;
    }

    it.each([
      ['tagged', 'tagged', '1.0.0'],
      ['tagged=2.0.0', 'tagged', '2.0.0'],
      ['plain', 'plain', '0.1.0'],
    ])(
      '%s',
      async (named, pack, version) => {
        const { status, result } = await install(named);
        expect([status, result.output.packs_list]).toEqual(['succeeded', [pack]]);
        expect(await versionOf(pack)).toBe(version);
        expect(existsSync(join(directory, 'packs', pack, 'pack.yaml'))).toBe(true);
      },
      2 * MINUTES,
    );

    it.each([
      ['nothing', 'No record of the "nothing" pack in the index.'],
      ['web', 'The index entry of the pack "web" has no location.'],
      ['tagged=3.0.0', 'There is no version "3.0.0". Versions: 1.0.0, 2.0.0.'],
      ['behind', 'There is no version "7.0.0". Versions: none.'],
    ])(
      'but not %s',
      async (named, text) => {
        const { status, result } = await run('packs.download', { packs: [named] });
        expect([status, result.result]).toEqual(['failed', { [named]: `Failure : ${text}` }]);
      },
      MINUTES,
    );

    it(
      'and removed from the API',
      async () => {
        const { body } = await caller.call('POST', '/v1/packs/uninstall', { packs: ['tagged', 'plain'] });
        expect((await client.executions.wait(body.execution_id)).status).toBe('succeeded');
        expect((await caller.call('GET', '/v1/packs/tagged')).status).toBe(404);
        expect(existsSync(join(directory, 'packs/tagged'))).toBe(false);
      },
      2 * MINUTES,
    );
  });

  describe('are removed', () => {
    const inBeacon = async (collection: string): Promise<Record<string, unknown>[]> =>
      (await caller.call('GET', `/v1/${collection}?pack=beacon`)).body;
    const kinds = ['rules', 'policies', 'triggertypes', 'actions', 'sensortypes'];
    const counts = () => Promise.all(kinds.map(async (kind) => (await inBeacon(kind)).length));
    const NONE = kinds.map(() => 0);
    const removed = {
      rules: ['beacon.answer_fire'],
      policies: ['beacon.one_at_a_time'],
      sensors: ['beacon.BeaconSensor'],
      triggers: ['beacon.lit'],
      trigger_types: ['beacon.lit'],
      actions: ['beacon.answer'],
      configs: ['beacon'],
      config_schemas: ['beacon'],
      packs: ['beacon'],
    };

    it.each([
      [['beacon', 'nowhere'], 'There is no pack "nowhere".'],
      [['beacon', 'default', 'chatops'], 'Unregister includes an unregisterable pack - chatops, default.'],
    ])(
      'completely or not at all: %j',
      async (packs, text) => {
        const before = await counts();
        for (const action of ['packs.unload', 'packs.uninstall'])
          expect((await run(action, { packs })).status).toBe('failed');
        expect((await run('packs.unload', { packs })).result.stderr).toContain(text);
        expect([await counts(), before.every((count) => count > 0)]).toEqual([before, true]);
        expect(existsSync(join(directory, 'packs/beacon'))).toBe(true);
      },
      2 * MINUTES,
    );

    it(
      'from the system, and can be loaded again from their files',
      async () => {
        const pid = await sensorProcess();
        const { status, result } = await run('packs.unload', { packs: ['beacon'] });
        expect([status, result.result]).toEqual(['succeeded', { removed, kept: {} }]);
        expect(await counts()).toEqual(NONE);
        await ended(pid);
        expect((await run('packs.load', { packs: ['beacon'] })).status).toBe('succeeded');
        expect(await counts()).toEqual(kinds.map(() => 1));
      },
      2 * MINUTES,
    );

    it(
      'sensor by sensor',
      async () => {
        const pid = await sensorProcess();
        expect((await caller.call('DELETE', '/v1/sensortypes/beacon.BeaconSensor')).status).toBe(204);
        await ended(pid);
        expect((await run('packs.load', { packs: ['beacon'] })).status).toBe('succeeded');
        await sensorProcess();
      },
      2 * MINUTES,
    );

    it(
      'with their files and their virtual environments',
      async () => {
        const virtualenv = join(directory, 'virtualenvs/beacon');
        mkdirSync(virtualenv, { recursive: true });
        const { status, result } = await run('packs.uninstall', { packs: ['beacon'] });
        expect([status, result.output.message]).toEqual(['succeeded', 'The packs are uninstalled.']);
        expect(result.output.removed).toEqual(removed);
        expect(await counts()).toEqual(NONE);
        expect([virtualenv, join(directory, 'packs/beacon')].filter((path) => existsSync(path))).toEqual([]);
        expect(existsSync(join(directory, 'configs/beacon.yaml'))).toBe(true);
      },
      2 * MINUTES,
    );

    it(
      'after an interruption before the files were removed',
      async () => {
        cpSync(BEACON, join(directory, 'packs/beacon'), { recursive: true });
        expect((await run('packs.uninstall', { packs: ['beacon'] })).status).toBe('succeeded');
        expect(existsSync(join(directory, 'packs/beacon'))).toBe(false);
        expect((await run('packs.uninstall', { packs: ['beacon'] })).status).toBe('failed');
      },
      2 * MINUTES,
    );

    /** @returns the process id of the pack's sensor, once it runs */
    const sensorProcess = (): Promise<number> =>
      eventually(
        async () => {
          const { state } = (await caller.call('GET', '/v1/sensortypes/beacon.BeaconSensor')).body;
          return state?.name === 'running' && (state.pid as number | undefined);
        },
        () => 'the sensor to run',
      );

    const ended = (pid: number) =>
      eventually(
        async () => !isAlive(pid),
        () => `the process ${pid} of the sensor to end`,
      );
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A repository with a pack of the same name, with one commit per version. */
function makeRepository(place: string, versions: readonly string[], { tags }: { tags: boolean }): void {
  mkdirSync(place, { recursive: true });
  const identity = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.invalid'];
  const git = (...words: string[]) => {
    const done = spawnSync('git', [...identity, ...words], { cwd: place, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
  };
  git('init', '--quiet');
  for (const version of versions) {
    const text = `name: ${basename(place)}\ndescription: A pack.\nversion: ${version}\nauthor: Somebody\n`;
    writeFileSync(join(place, 'pack.yaml'), text);
    git('add', '.');
    git('commit', '--quiet', '-m', version);
    if (tags) git('tag', `v${version}`);
  }
}

const POLICY = `---
name: one_at_a_time
description: Fires are answered one after the other.
enabled: true
resource_ref: beacon.answer
policy_type: action.concurrency
parameters:
  action: delay
  threshold: 1
`;

async function clientOf({ api, auth, stream }: SystemProcess): Promise<Client> {
  const options = { apiUrl: `${api}/v1`, authUrl: auth, streamUrl: `${stream}/v1` };
  const { token } = await createClient(options).tokens.create({ user: 'testu', password: 'testp' });
  return createClient({ ...options, token });
}
