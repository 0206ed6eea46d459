import { hostname } from 'node:os';
import { addresses, loadConfig, paths, type ConfigOverrides } from '@switchyard/config';

const configOf = (overrides: ConfigOverrides) => loadConfig({ environment: { HOME: '/home/ada' }, overrides }).config;

test('paths places everything under the base path', () => {
  expect(paths(configOf({ system: { base_path: '/srv/x' } }))).toEqual({
    base: '/srv/x',
    packs: '/srv/x/packs',
    packsBasePaths: ['/srv/x/packs'],
    virtualenvs: '/srv/x/virtualenvs',
    configs: '/srv/x/configs',
    keys: '/srv/x/keys',
    datastoreKey: '/srv/x/keys/datastore_key.json',
    recordKey: '/srv/x/keys/record_keys.json',
    roles: '/srv/x/rbac',
    plugins: '/srv/x/plugins',
    store: '/srv/x/store',
    logs: '/srv/x/logs',
  });
});

test('paths follows the options for packs, for role definitions and for the datastore key', () => {
  const content = { system_packs_base_path: '~/packs', packs_base_paths: '/a:/b::/a' };
  const found = paths(
    configOf({ content, keyvalue: { encryption_key_path: '~/key.json' }, rbac: { directory: '~/roles' } }),
  );
  expect(found.packsBasePaths).toEqual(['/home/ada/packs', '/a', '/b']);
  expect(found.datastoreKey).toBe('/home/ada/key.json');
  expect(found.roles).toBe('/home/ada/roles');
});

test.each<[ConfigOverrides, { api: string; webConsole: string }]>([
  [{}, { api: 'http://127.0.0.1:9101', webConsole: `https://${hostname()}` }],
  [
    { auth: { api_url: 'https://h/api/' }, webui: { webui_base_url: 'https://h/' } },
    { api: 'https://h/api', webConsole: 'https://h' },
  ],
])('addresses derives the public addresses from %j', (overrides, expected) => {
  expect(addresses(configOf(overrides))).toEqual(expected);
});
