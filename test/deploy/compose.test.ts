import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, paths, type Config } from '@switchyard/config';
import { serviceNames } from '@switchyard/all-in-one';
import { parse } from 'yaml';
import { codes, exists, read, ROOT } from '../architecture/workspace';
import { composeFile, composeFiles, groupsOf, hasProgram, imageEnvironment, REQUIRED, SMALL, type ComposeFile, type Container } from './deployment-files'; // oxfmt-ignore

const compose = composeFile('docker-compose.yml');
const containers = Object.entries(compose.services);
/** The containers that run services of this product, by service name. */
const ours = containers
  .filter(([, { image, entrypoint }]) => image === 'switchyard:latest' && !entrypoint)
  .map(([name, container]) => [name, container] as const);

/** Where containers see their secrets, and the files as deploy/secrets.sh writes them. */
const RUN_SECRETS = '/run/secrets';
let secrets: string;
const writeSecrets = (variables: Readonly<Record<string, string>> = {}) =>
  spawnSync('sh', ['deploy/secrets.sh', secrets], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  });
beforeAll(() => {
  secrets = join(mkdtempSync(join(tmpdir(), 'svc-compose-')), 'secrets');
  expect(writeSecrets()).toMatchObject({ status: 0, stderr: '' });
});
afterAll(() => rmSync(join(secrets, '..'), { recursive: true }));

function loaded({ environment = {} }: Container) {
  // This file exists only in the container, and its content depends on the user.
  const { SVC_CONFIG_PATH: _, ...options } = { ...imageEnvironment(), ...environment };
  const here = Object.entries(options).map(([name, value]) => [name, value.replace(RUN_SECRETS, secrets)]);
  return loadConfig({ environment: Object.fromEntries(here) as Record<string, string> });
}

const target = (volume: string): string => volume.split(':')[1] ?? '';

const FILES = ['database-password', 'messaging-url', 'rabbitmq-user.conf'];

describe('docker-compose.yml', () => {
  it('runs every service in a container with its name', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([...serviceNames].sort());
    for (const [name, { command }] of ours) expect(command).toEqual([name]);
  });

  it.each(ours)('gives %s existing options with valid values', (_, container) => {
    expect(loaded(container).warnings).toEqual([]);
  });

  it('puts every service on the same store, bus and keys', () => {
    const places = ours.map(([, container]) => {
      const { storage, database, messaging, ...config } = loaded(container).config;
      return [storage.driver, database, messaging, paths(config as Config).recordKey];
    });
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(1);
    expect(places[0]?.slice(0, 1)).toEqual(['mongodb']);
    for (const [, { volumes }] of ours) expect(volumes).toContain('switchyard:/opt/switchyard');
  });

  it.each(ours)('checks the health of %s in its own container', (name, container) => {
    expect(container.healthcheck?.test).toEqual(['CMD', 'svc-healthcheck', name]);
  });

  it.each(containers)('mounts only existing files into %s', (_, { volumes = [] }) => {
    for (const volume of volumes) {
      const source = volume.split(':')[0] ?? '';
      if (source === './packs.dev') continue;
      expect(source.startsWith('./') ? exists(source) : source in compose.volumes).toBe(true);
    }
  });

  it('mounts the accounts into the auth service only', () => {
    const auth = compose.services['auth'] as Container;
    const { file_path: file } = loaded(auth).config.auth.backend_kwargs as { file_path: string };
    expect(auth.volumes).toContain('./deploy/files:/etc/switchyard:ro');
    expect(file).toBe('/etc/switchyard/htpasswd');
    const others = ours.filter(([name]) => name !== 'auth').flatMap(([, { volumes = [] }]) => volumes);
    expect(others.filter((volume) => ['/etc/switchyard', file].includes(target(volume)))).toEqual([]);
  });

  it('mounts the directory of packs under development where the API searches for packs', () => {
    const { volumes = [], ...rest } = composeFile('docker-compose.yml', { ...REQUIRED, SVC_PACKS_DEV: '/src/packs' })
      .services['api'] as Container;
    const [mounted] = volumes.filter((volume) => volume.startsWith('/src/packs:'));
    expect(paths(loaded(rest).config).packsBasePaths).toContain(target(mounted ?? ''));
  });

  it('allows every service to run several times', () => {
    for (const [, { container_name: name, ports }] of ours) expect([name, ports]).toEqual([undefined, undefined]);
  });

  it('opens one port, by default on this machine only', () => {
    expect(containers.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:8080:8080']);
    const { services } = composeFile('docker-compose.yml', { ...REQUIRED, SVC_EXPOSE_HTTP: '80' });
    expect(services['nginx']?.ports).toEqual(['80:8080']);
  });

  it('mounts passwords as files, in no environment, where they are needed', () => {
    const mounted = (name: string) =>
      (compose.services[name]?.secrets ?? []).map((each) => (typeof each === 'string' ? each : each.target));
    for (const [name, { environment = {} }] of ours) {
      expect(mounted(name)).toEqual(['database-password', 'messaging-url']);
      const files = Object.values(environment).filter((value) => value.startsWith(RUN_SECRETS));
      expect(files.sort()).toEqual(mounted(name).map((each) => `${RUN_SECRETS}/${each}`));
    }
    expect(mounted('mongo')).toEqual(['database-password']);
    expect(mounted('rabbitmq')).toEqual(['/etc/rabbitmq/conf.d/20-user.conf']);
    expect([mounted('nginx'), mounted('client')]).toEqual([[], []]);
    const names = containers.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(names.filter((name) => /PASS(WORD)?$|__URL$/.test(name))).toEqual([]);
    const elsewhere = composeFile('docker-compose.yml', { SVC_SECRETS: '/srv/secrets' }).secrets;
    expect(
      Object.values(elsewhere)
        .map(({ file }) => file.replace('/srv/secrets/', ''))
        .sort(),
    ).toEqual(FILES);
  });

  it('gets its passwords from deploy/secrets.sh, which keeps existing ones and takes given ones', () => {
    const texts = () => FILES.map((name) => readFileSync(join(secrets, name), 'utf8'));
    const [database = '', url = '', user] = texts();
    const password = new URL(url).password;
    expect([database, password]).toEqual([expect.stringMatching(/^\w{48}$/), expect.stringMatching(/^\w{48}$/)]);
    expect([url, user]).toEqual([
      `amqp://svc:${password}@rabbitmq:5672`,
      `default_user = svc\ndefault_pass = ${password}\n`,
    ]);
    expect([statSync(secrets).mode & 0o777, statSync(join(secrets, 'messaging-url')).mode & 0o777]).toEqual([
      0o700, 0o644,
    ]);
    expect(loaded(compose.services['api'] as Container).config).toMatchObject({
      database: { password: database },
      messaging: { url },
    });
    expect(writeSecrets({ SVC_DATABASE_PASSWORD: 'other' })).toMatchObject({ status: 0 });
    expect(texts()).toEqual([database, url, user]);
    rmSync(secrets, { recursive: true });
    expect(writeSecrets({ SVC_MESSAGING_PASSWORD: 'a@b' })).toMatchObject({
      status: 1,
      stderr: 'ERROR: SVC_MESSAGING_PASSWORD: expected letters and digits.\n',
    });
    expect(writeSecrets({ SVC_DATABASE_PASSWORD: 'db1', SVC_MESSAGING_PASSWORD: 'bus1' })).toMatchObject({ status: 0 });
    expect(texts()).toEqual(['db1', 'amqp://svc:bus1@rabbitmq:5672', 'default_user = svc\ndefault_pass = bus1\n']);
  });

  it('lets only services reach the store and the bus', () => {
    expect(compose.networks['data']?.internal).toBe(true);
    for (const name of ['mongo', 'rabbitmq']) expect(compose.services[name]?.networks).toEqual(['data']);
    for (const name of ['nginx', 'client']) expect(compose.services[name]?.networks).toBeUndefined();
  });

  it.each(containers.filter(([name]) => !['mongo', 'rabbitmq'].includes(name)))(
    'gives %s no unneeded privileges',
    (_, container) => {
      expect(container).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    },
  );

  it('sets the addresses of the services for the command line', () => {
    const { environment = {} } = compose.services['client'] as Container;
    const documented = codes(read('docs/cli.md'));
    for (const [name, value] of Object.entries(environment)) {
      expect(documented).toContain(name);
      expect(Object.keys(compose.services)).toContain(new URL(value).hostname);
    }
  });
});

describe('the compose file for a small installation', () => {
  const small = composeFiles('docker-compose.yml', SMALL);
  const groups = groupsOf(small);
  const containerOf = (service: string) =>
    small.services[groups.find(([, names]) => names.split(',').includes(service))?.[0] ?? ''] as Container;

  it('runs every service once, in four containers', () => {
    expect(groups.flatMap(([, names]) => names.split(',')).sort()).toEqual([...serviceNames].sort());
    expect(groups).toHaveLength(4);
  });

  it.each(groups)('checks the health of all services in %s', (name, names) => {
    expect(small.services[name]?.healthcheck?.test).toEqual(['CMD', 'svc-healthcheck', names]);
    expect(loaded(small.services[name] as Container).warnings).toEqual([]);
  });

  it.each(['auth', 'workflow-engine', 'action-runner', 'sensor-container'])(
    'gives %s the options that it has in a container of its own',
    (name) => {
      expect(containerOf(name).environment).toMatchObject(compose.services[name]?.environment ?? {});
    },
  );

  it('mounts the accounts where auth runs only', () => {
    const mounted = Object.entries(small.services).filter(([, { volumes = [] }]) =>
      volumes.includes('./deploy/files:/etc/switchyard:ro'),
    );
    expect(mounted.map(([, container]) => container)).toEqual([containerOf('auth')]);
  });

  it('keeps the names that the front end and the command line use', () => {
    const { networks } = composeFile(SMALL).services['api'] as Container;
    expect(networks).toEqual({ default: { aliases: ['auth', 'stream'] } });
    expect(containerOf('auth')).toBe(small.services['api']);
    expect(containerOf('stream')).toBe(small.services['api']);
  });
});

const described = hasProgram('docker-compose', 'the check of the compose files by it is') ? describe : describe.skip;

described('docker-compose accepts', () => {
  const config = (files: readonly string[], environment: Record<string, string>) =>
    spawnSync('docker-compose', [...files.flatMap((file) => ['--file', file]), 'config'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', ...environment },
    });

  const fewer = composeFiles('docker-compose.yml', SMALL);
  it.each([
    ['the compose file', ['docker-compose.yml'], compose],
    ['the compose file with the one for TLS on top', ['docker-compose.yml', 'deploy/docker-compose.tls.yml'], compose],
    ['the compose file with the one for a small installation on top', ['docker-compose.yml', SMALL], fewer],
  ])('%s', (_, files, { services }) => {
    const { status, stdout, stderr } = config(files, REQUIRED);
    expect([status, stderr]).toEqual([0, '']);
    expect(startedBy(stdout).sort()).toEqual(Object.keys(services).sort());
  });

  it('the file for TLS only with a directory of certificates', () => {
    const { status, stderr } = config(['docker-compose.yml', 'deploy/docker-compose.tls.yml'], {});
    expect(status).not.toBe(0);
    expect(stderr).toContain('the directory of svc.crt and svc.key');
  });
});

/** The services in the output of docker-compose that start without a profile. */
const startedBy = (text: string): string[] =>
  Object.entries((parse(text) as ComposeFile).services)
    .filter(([, { profiles }]) => profiles === undefined)
    .map(([name]) => name);
