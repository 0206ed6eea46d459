import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client, type Execution } from '@switchyard/client';
import { login, type ApiCaller } from './api-caller';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTES = 60_000;
const BEACON = join(ROOT, 'test/packs/beacon');

const python = spawnSync('python3', ['--version']).status === 0;
if (!python && process.env['CI'] === 'true') throw new Error('There is no python3, and CI has to test it.');
if (!python)
  process.stderr.write('There is no python3 on the PATH: tests of finding and removing packs are left out.\n');
const describePython = python ? describe : describe.skip;

interface Ended extends Execution {
  // Whatever runners and actions make of it: tests look into it freely.
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
const INDEXES: Record<string, string> = {
  '/first.json': JSON.stringify({ packs: { mail, web, http_proxy: proxy, archive }, metadata: {} }),
  '/second.json': JSON.stringify({ packs: { web: { ...web, version: '9.0.0' }, late: { name: 'late' } } }),
  '/malformed.json': 'not JSON',
  '/strange.json': '[]',
};

describePython('packs', () => {
  let directory: string;
  let system: SystemProcess;
  let caller: ApiCaller;
  let client: Client;
  let indexes: Server;
  let address: string;

  beforeAll(async () => {
    indexes = createServer(({ url = '' }, response) => {
      const text = INDEXES[url];
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(text);
    });
    await new Promise<void>((resolve) => indexes.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(indexes.address() as AddressInfo).port}`;
    directory = mkdtempSync(join(tmpdir(), 'svc-pack-removal-'));
    mkdirSync(join(directory, 'configs'));
    writeFileSync(join(directory, 'configs/beacon.yaml'), `spool: ${join(directory, 'spool')}\n`);
    cpSync(BEACON, join(directory, 'packs/beacon'), { recursive: true });
    mkdirSync(join(directory, 'packs/beacon/policies'));
    writeFileSync(join(directory, 'packs/beacon/policies/one_at_a_time.yaml'), POLICY);
    system = await startSystem({ directory, config: '[packs]\nenable_common_libs = True\n' });
    caller = await login(system.api, system.auth);
    client = await clientOf(system);
  }, 2 * MINUTES);

  afterAll(async () => {
    caller?.close();
    await system?.stop();
    indexes?.close();
    if (directory) rmSync(directory, { recursive: true, force: true });
  });

  async function run(action: string, parameters: Record<string, unknown> = {}): Promise<Ended> {
    const { id } = await client.executions.create({ action, parameters });
    return (await client.executions.wait(id)) as Ended;
  }

  const at = (...names: string[]) => names.map((name) => `${address}/${name}.json`).join(', ');

  describe('are found in an index', () => {
    it.each([
      ['HTTP', ['http_proxy', 'web', 'mail']],
      ['letters', ['mail']],
      ['htm', []],
      ['9.0.0', []],
      ['late', ['late']],
    ])(
      'by %s',
      async (query, names) => {
        const { status, result } = await run('packs.search', { query, index_url: at('first', 'malformed', 'second') });
        expect([status, result.result.map(({ name }: { name: string }) => name)]).toEqual(['succeeded', names]);
      },
      MINUTES,
    );

    it.each([
      ['web', web],
      ['late', { name: 'late' }],
      ['nothing', null],
    ])(
      'under the name %s',
      async (pack, found) => {
        const { status, result } = await run('packs.show', { pack, index_url: at('first', 'second') });
        expect([status, result.result]).toEqual(['succeeded', { pack: found }]);
      },
      MINUTES,
    );

    it(
      'that the configuration of the pack packs names',
      async () => {
        const before = await run('packs.show', { pack: 'web' });
        expect([before.status, before.result.stderr]).toEqual([
          'failed',
          expect.stringContaining('There is no index of packs'),
        ]);
        writeFileSync(join(directory, 'configs/packs.yaml'), `index_url: ${at('first')}\n`);
        await run('packs.load', { packs: ['packs'], register: 'configs' });
        expect((await run('packs.show', { pack: 'web' })).result.result).toEqual({ pack: web });
      },
      MINUTES,
    );

    it.each([
      ['malformed', 'Expecting value'],
      ['missing', 'HTTP Error 404'],
      ['strange', 'it has no object "packs"'],
    ])(
      'unless every one is %s',
      async (name, problem) => {
        const { status, result } = await run('packs.search', { query: 'web', index_url: at(name) });
        expect([status, result.stderr]).toEqual([
          'failed',
          expect.stringContaining('No results from the index: tried'),
        ]);
        expect(result.stderr).toContain(problem);
      },
      MINUTES,
    );
  });

  describe('are removed', () => {
    const inBeacon = async (collection: string): Promise<Record<string, unknown>[]> =>
      (await caller.call('GET', `/v1/${collection}?pack=beacon`)).body;
    const refs = async (collection: string) => (await inBeacon(collection)).map(({ ref }) => ref);
    const kinds = ['rules', 'policies', 'triggertypes', 'actions'];
    const counts = () => Promise.all(kinds.map(async (kind) => (await refs(kind)).length));

    it.each([
      [['beacon', 'nowhere'], 'There is no pack "nowhere" that is registered.'],
      [['beacon', 'core', 'chatops'], 'Unregister includes an unregisterable pack - chatops, core.'],
    ])(
      'all or none: %j',
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
        const { status, result } = await run('packs.unload', { packs: ['beacon'] });
        expect([status, result.result]).toEqual([
          'succeeded',
          {
            removed: {
              rules: ['beacon.answer_fire'],
              policies: ['beacon.one_at_a_time'],
              triggers: ['beacon.lit'],
              actions: ['beacon.answer'],
            },
            // The API has no routes that delete these.
            remaining: { sensors: ['beacon.BeaconSensor'], packs: ['beacon'] },
            switched_off: ['beacon.BeaconSensor'],
            refused: {},
          },
        ]);
        expect(await counts()).toEqual([0, 0, 0, 0]);
        expect(await inBeacon('sensortypes')).toEqual([expect.objectContaining({ enabled: false })]);
        expect((await run('packs.load', { packs: ['beacon'] })).status).toBe('succeeded');
        expect(await counts()).toEqual([1, 1, 1, 1]);
      },
      2 * MINUTES,
    );

    it(
      'with their files',
      async () => {
        const { status, result } = await run('packs.uninstall', { packs: ['beacon'] });
        expect([status, result.output.message]).toEqual(['succeeded', 'The packs are uninstalled.']);
        expect(result.output.removed.actions).toEqual(['beacon.answer']);
        expect(await counts()).toEqual([0, 0, 0, 0]);
        expect(existsSync(join(directory, 'packs/beacon'))).toBe(false);
        expect(existsSync(join(directory, 'configs/beacon.yaml'))).toBe(true);
      },
      2 * MINUTES,
    );
  });
});

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
