import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@switchyard/config';
import { createPasswordBackend, pluginBackends } from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { openAccount } from '../src/accounts';
import { loadPlugins } from '../src/plugins';

const EXAMPLE = '@acme/svc-plugin-example';
const logger = { info: () => undefined, warn: () => undefined };

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plugins-'));
  install(EXAMPLE);
  cpSync(join(__dirname, '../../../test/plugins/acme-example'), join(directory, 'node_modules', EXAMPLE), {
    recursive: true,
  });
});
afterAll(() => rmSync(directory, { recursive: true }));

const install = (name: string, source = ''): string => {
  const folder = join(directory, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), source);
  return name;
};

describe('plug-ins', () => {
  it('are packages in a directory', () => {
    expect(loadPlugins([], '/nowhere')).toEqual([]);
    expect(loadPlugins([EXAMPLE], directory)).toEqual([
      {
        name: EXAMPLE,
        runners: [expect.objectContaining({ manifest: expect.objectContaining({ name: 'acme-wait-for-file' }) })],
        authBackends: { shared_password: expect.any(Function) },
        roleBackends: { enterprise: expect.any(Function) },
      },
    ]);
  });

  it('that are not installed are refused, with the command to install them', () => {
    expect(() => loadPlugins(['@acme/none'], directory)).toThrow(
      `The plug-in "@acme/none" cannot be loaded: expected a package installed in ${directory} ` +
        `(npm install --prefix ${directory} @acme/none), got "`,
    );
  });

  it.each([
    ['throws', 'throw new Error("no licence")', 'expected a module, got the error "no licence".'],
    ['lacks-a-part', 'require("acme-none")', /expected a module, got the error ".*Cannot find module 'acme-none'/],
    ['gives-a-text', 'module.exports = "runner"', 'expected an object as its export, got string.'],
    [
      'gives-no-version',
      'module.exports = {}',
      'expected contract: 1, the version of this product, got contract: undef',
    ],
    ['is-from-later', 'module.exports = { contract: 2 }', 'got contract: 2.'],
    [
      'gives-nothing',
      'module.exports = { contract: 1 }',
      'expected runners, authBackends or roleBackends, got an object with contract.',
    ],
    ['gives-one', 'module.exports = { contract: 1, runners: {} }', 'expected runners to be a list, got object.'],
    ['gives-a-list', 'module.exports = { contract: 1, authBackends: [] }', 'authBackends to be an object, got a list.'],
    [
      'gives-a-number',
      'module.exports = { contract: 1, roleBackends: 7 }',
      'roleBackends to be an object, got number.',
    ],
  ])('one that %s is refused', (name, source, message) => {
    expect(() => loadPlugins([install(name, source)], directory)).toThrow(`The plug-in "${name}" cannot be loaded: `);
    expect(() => loadPlugins([name], directory)).toThrow(message);
  });

  const create = (authBackends: Record<string, unknown>) =>
    createPasswordBackend('acme', null, logger, pluginBackends([{ name: '@acme/login', authBackends }]));

  it('provide authentication backends', async () => {
    const backends = pluginBackends(loadPlugins([EXAMPLE], directory));
    const given = { users: ['ada'], password: 'open sesame' };
    const backend = createPasswordBackend('shared_password', given, logger, backends);
    const attempts = [
      ['ada', 'open sesame'],
      ['ada', 'sesame'],
      ['bob', 'open sesame'],
    ] as const;
    const answers = await Promise.all(attempts.map(([user, password]) => backend.authenticate(user, password)));
    expect(answers).toEqual([true, false, false]);
    expect(() => createPasswordBackend('shared_password', {}, logger, backends)).toThrow(
      'The plug-in "@acme/svc-plugin-example" cannot be loaded: expected the backend "shared_password" to accept ' +
        'auth.backend_kwargs, got the error "users and password are required".',
    );
  });

  it.each([
    [{ flat_file: () => undefined }, 'a unique name, got "flat_file" again.'],
    [{ ldap: () => undefined }, 'a unique name, got "ldap" again.'],
    [{ acme: 7 }, 'expected the backend "acme" to be a function, got number.'],
    [{ acme: () => ({}) }, 'expected the backend "acme" to have a function "authenticate", got undefined.'],
    [
      { acme: () => ({ authenticate: async () => true, groupsOf: ['staff'] }) },
      'expected the backend "acme" to have a function "groupsOf" or none, got object.',
    ],
  ])('cannot provide %j as backends', (authBackends, message) => {
    expect(() => create(authBackends)).toThrow(`The plug-in "@acme/login" cannot be loaded: expected `);
    expect(() => create(authBackends)).toThrow(message);
  });

  it('log in a user only if the result is true, and do not reveal the reason of a failure', async () => {
    const answers = [true, 'yes', undefined];
    const backend = create({ acme: () => ({ authenticate: async () => answers.shift() }) });
    const logIn = () => backend.authenticate('ada', 'open sesame');
    expect([await logIn(), await logIn(), await logIn()]).toEqual([true, false, false]);
    const down = create({ acme: () => ({ authenticate: () => Promise.reject(new Error('10.0.0.7 is down')) }) });
    await expect(down.authenticate('ada', 'open sesame')).rejects.toMatchObject({
      status: 503,
      message: 'The authentication backend "acme" cannot check passwords at the moment. Try again later.',
      cause: { message: '10.0.0.7 is down' },
    });
  });

  it('may report the groups of users', async () => {
    const answers = [['staff'], ['staff', 7], undefined];
    const authenticate = async () => true;
    const backend = create({ acme: () => ({ authenticate, groupsOf: async () => answers.shift() }) });
    expect(await backend.groupsOf?.('ada')).toEqual(['staff']);
    for (let i = 0; i < 2; i += 1) {
      await expect(backend.groupsOf?.('ada')).rejects.toMatchObject({
        status: 503,
        cause: { message: 'groupsOf did not return a list of strings' },
      });
    }
    expect(create({ acme: () => ({ authenticate }) }).groupsOf).toBeUndefined();
  });

  it('with an unresponsive backend do not prevent the start of the system', async () => {
    const name = install(
      'away',
      'exports.contract = 1; exports.authBackends = { away: () => ({ authenticate }) };' +
        'async function authenticate() { throw new Error("down"); }',
    );
    const { config } = loadConfig({
      environment: {},
      overrides: { auth: { backend: 'away' }, plugins: { packages: name, directory } },
    });
    const warnings: unknown[] = [];
    const warn = (text: string) => void warnings.push(text);
    expect(await openAccount(config, { ...logger, warn } as unknown as Logger)).toBeUndefined();
    expect(warnings).toEqual(['Could not check whether a default account can log in.']);
  });
});
