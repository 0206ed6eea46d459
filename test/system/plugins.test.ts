import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { login, type ApiCaller } from './api-caller';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;
const PLUGIN = '@acme/svc-plugin-example';
const KWARGS = '{"users": ["ada"], "password": "open sesame"}';

/** Installed as docs/plugins.md describes. A package that is not in a registry is packed first. */
function installExample(directory: string): void {
  const npm = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const archive = npm('pack', '--silent', join(ROOT, 'test/plugins/acme-example'));
  npm('install', '--offline', '--silent', '--prefix', join(directory, 'plugins'), join(directory, archive));
}

function writeAction(directory: string): void {
  const pack = join(directory, 'packs/files');
  mkdirSync(join(pack, 'actions'), { recursive: true });
  writeFileSync(
    join(pack, 'pack.yaml'),
    'name: files\ndescription: Waits for files.\nversion: 1.0.0\nauthor: Ada\nemail: ada@example.org\n',
  );
  writeFileSync(join(pack, 'actions/wait.yaml'), 'name: wait\nrunner_type: acme-wait-for-file\nenabled: true\n');
}

const configOf = (plugins: string, kwargs = KWARGS) =>
  `[plugins]\npackages = ${plugins}\n[auth]\nbackend = shared_password\nbackend_kwargs = ${kwargs}\n`;

describe('an installed plug-in', () => {
  let directory: string;
  let system: SystemProcess | undefined;
  let api: ApiCaller;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'svc-plugins-'));
    installExample(directory);
    writeAction(directory);
    system = await startSystem({ directory, users: false, config: configOf(PLUGIN) });
    api = await login(system.api, system.auth, 'ada', 'open sesame');
  }, 2 * MINUTE);

  afterAll(async () => {
    api?.close();
    await system?.stop({ keepData: true });
    rmSync(directory, { recursive: true, force: true });
  }, MINUTE);

  const request = async (parameters: Record<string, unknown>): Promise<string> => {
    const { status, body } = await api.call('POST', '/v1/executions', { action: 'files.wait', parameters });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { id: string }).id;
  };
  const execution = async (id: string) => (await api.call('GET', `/v1/executions/${id}`)).body as Execution;
  const reached = (id: string, wanted: string) =>
    eventually(
      async () => {
        const found = await execution(id);
        return found.status === wanted ? found : undefined;
      },
      () => `an execution that is ${wanted}`,
    );

  it('logs in its users, and nobody else', async () => {
    expect((await api.call('GET', '/v1/user')).body).toMatchObject({ username: 'ada' });
    const { api: address, auth } = system!;
    await expect(login(address, auth, 'ada', 'wrong')).rejects.toThrow('login failed: 401');
    await expect(login(address, auth, 'eve', 'open sesame')).rejects.toThrow('login failed: 401');
  });

  it(
    'runs actions, with their output',
    async () => {
      const path = join(directory, 'appears');
      const id = await request({ path, before: 'waiting', after: 'there' });
      await reached(id, 'running');
      writeFileSync(path, 'word');
      expect((await reached(id, 'succeeded')).result).toEqual({ path, size: 4 });
      const output = await api.call('GET', `/v1/executions/${id}/output?output_format=raw`);
      expect(output.body).toContain('waiting\nthere');
    },
    MINUTE,
  );

  it(
    'stops actions in time, and when they are canceled',
    async () => {
      const path = join(directory, 'never');
      expect(await reached(await request({ path, timeout: 1 }), 'timeout')).toMatchObject({ result: { path } });
      const id = await request({ path });
      await reached(id, 'running');
      expect((await api.call('DELETE', `/v1/executions/${id}`)).status).toBe(200);
      expect(await reached(id, 'canceled')).toMatchObject({ result: { user: 'ada' } });
    },
    MINUTE,
  );

  it('has parameters that are checked', async () => {
    const answer = await api.call('POST', '/v1/executions', { action: 'files.wait', parameters: { timeout: 1 } });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ faultstring: "'path' is a required property" }),
    ]);
  });

  it.each<[string, string, string]>([
    ['that is not installed', configOf('@acme/none'), 'The plug-in "@acme/none" cannot be loaded: expected a package'],
    [
      'whose arguments are wrong',
      configOf(PLUGIN, '{"users": ["ada"]}'),
      'to accept auth.backend_kwargs, got the error "users and password are required"',
    ],
  ])(
    '%s prevents the start of the system, with the reason',
    async (_, config, reason) => {
      const other = mkdtempSync(join(tmpdir(), 'svc-plugins-'));
      try {
        const plugins = `directory = ${join(directory, 'plugins')}`;
        const wrong = config.replace('[plugins]', `[plugins]\n${plugins}`);
        await expect(startSystem({ directory: other, users: false, config: wrong })).rejects.toThrow(reason);
      } finally {
        rmSync(other, { recursive: true });
      }
    },
    MINUTE,
  );
});

describe('rbac.backend = enterprise', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-plugins-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const starting = (config: string) => startSystem({ directory, config });
  const ROLES = `[rbac]\nenable = True\nbackend = enterprise\n`;

  it(
    'is refused at the start while no installed package provides it',
    async () => {
      await expect(starting(ROLES)).rejects.toThrow(
        'rbac.backend = enterprise is not available: no installed package provides it. Known backends are: default.',
      );
    },
    MINUTE,
  );

  it(
    'has the roles that an installed package provides',
    async () => {
      installExample(directory);
      const file = join(directory, 'roles.json');
      const grants = [{ resource_uid: 'action:core:noop', permission_types: ['action_execute'] }];
      const writeRoles = (other: unknown[]) =>
        writeFileSync(file, JSON.stringify({ testu: [{ name: 'admin' }], other }));
      writeRoles([{ name: 'runners', permission_grants: grants }]);
      const system = await starting(`${ROLES}backend_kwargs = {"file": "${file}"}\n[plugins]\npackages = ${PLUGIN}\n`);
      const admin = await login(system.api, system.auth);
      const other = await login(system.api, system.auth, 'other', 'otherp');
      try {
        const run = async (action: string) => (await other.call('POST', '/v1/executions', { action })).status;
        expect([await run('core.noop'), await run('core.ask')]).toEqual([201, 403]);
        expect((await other.call('GET', '/v1/rules')).status).toBe(403);
        expect((await other.call('GET', '/v1/user')).body.rbac).toMatchObject({ roles: ['runners'], is_admin: false });
        expect((await admin.call('GET', '/v1/rules')).status).toBe(200);
        writeRoles([]);
        await eventually(
          async () => (await run('core.noop')) === 403,
          () => 'a role that is gone',
        );
        writeFileSync(file, 'no roles');
        await eventually(
          async () => (await run('core.noop')) === 503,
          () => 'a request without roles to decide it by',
        );
        // The log is written a moment later.
        await eventually(
          () => readFileSync(join(directory, 'logs/switchyard.log'), 'utf8').includes('is not valid JSON'),
          () => 'the reason in the log',
        );
      } finally {
        admin.close();
        other.close();
        await system.stop({ keepData: true });
      }
    },
    2 * MINUTE,
  );
});

interface Execution {
  readonly status: string;
  readonly result: unknown;
}
