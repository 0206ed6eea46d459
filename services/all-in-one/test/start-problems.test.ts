import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import { startProblems } from '../src/start-problems';

const directory = mkdtempSync(join(tmpdir(), 'svc-start-problems-'));
const text = join(directory, 'text');
writeFileSync(text, 'no key');
const broken = join(directory, 'broken');
mkdirSync(join(broken, 'keys'), { recursive: true });
writeFileSync(join(broken, 'keys/record_keys.json'), '{}');
writeFileSync(join(broken, 'keys/datastore_key.json'), 'no JSON');
afterAll(() => rmSync(directory, { recursive: true }));

/** Options as the environment sets them, because Jest's objects are not those of the configuration. */
function problems(sections: ConfigOverrides): Promise<string[]> {
  const settings = Object.entries({ system: { base_path: directory }, ...sections }).flatMap(([section, options]) =>
    Object.entries<unknown>(options).map(([option, value]) => [
      `SVC_${section}__${option}`.toUpperCase(),
      Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  return startProblems(loadConfig({ environment: Object.fromEntries(settings) as Record<string, string> }).config);
}

describe('the problems that services would find at their start', () => {
  it('are none with the defaults, and nothing is written', async () => {
    expect(await startProblems(loadConfig({ environment: { HOME: directory } }).config)).toEqual([]);
    expect(await problems({ auth: { host: '127.0.0.1' } })).toEqual([]);
    expect(readdirSync(directory).sort()).toEqual(['broken', 'text']);
  });

  const servers = (database: object, messaging: object): ConfigOverrides => ({
    storage: { driver: 'mongodb' },
    database,
    messaging: { driver: 'rabbitmq', ...messaging },
  });

  it.each<[string, ConfigOverrides, RegExp[]]>([
    [
      'addresses of servers that are no addresses',
      servers({ host: 'mongodb://me:hush@' }, { url: 'http://me:hush@bus' }),
      [
        /^Configuration: \[database\] cannot be used: /,
        /^Configuration: messaging\.url: expected an address such as amqp:.*, got "http:\/\/\*+@bus"\.$/,
      ],
    ],
    [
      'one of several addresses',
      servers({}, { cluster_urls: ['amqp://one', 'two'] }),
      [/^Configuration: messaging\.cluster_urls: .* got "two"\.$/],
    ],
    [
      'incomplete settings of LDAP',
      { auth: { backend: 'ldap', backend_kwargs: { ldap_uri: 'ldap://directory.example.org' } } },
      [/^Configuration: auth\.backend_kwargs of the backend ldap/],
    ],
    [
      'an unknown authentication backend',
      { auth: { backend: 'none' } },
      [/^Configuration: auth\.backend = none is not available/],
    ],
    [
      'groups of a backend without groups',
      {
        auth: { backend_kwargs: { file_path: text } },
        rbac: { enable: true, backend: 'default', sync_remote_groups: true },
      },
      [/needs an authentication backend that has groups, and "flat_file" has none\.$/],
    ],
    [
      'a proxy that nobody could tell apart',
      { auth: { mode: 'proxy' } },
      [/^Configuration: auth\.mode = proxy needs auth\.trusted_proxies/],
    ],
    [
      'single sign-on without a backend',
      { auth: { sso: true } },
      [/^Configuration: auth\.sso = true needs auth\.sso_backend\./],
    ],
    [
      'a certificate that is none',
      { auth: { use_ssl: true, cert: text, key: text } },
      [/^Configuration: cannot serve TLS with the certificate /],
    ],
    [
      'TLS without a key',
      { auth: { use_ssl: true, cert: text } },
      [/^Configuration: auth\.use_ssl needs auth\.cert and auth\.key\.$/],
    ],
    [
      'a listener for others with the default password, which the start would create',
      { auth: { host: '0.0.0.0' } },
      [/^Configuration: refusing to listen on 0\.0\.0\.0, .* has its default password/],
    ],
    [
      'key files that cannot be used',
      { system: { base_path: broken } },
      [/keys\/record_keys\.json/, /keys\/datastore_key\.json/],
    ],
    [
      'a plug-in that is not installed, once',
      { plugins: { packages: ['no-such-plugin'] } },
      [/no-such-plugin.*expected a package installed in /],
    ],
    [
      'an address of traces',
      { opentelemetry: { enable: true, endpoint: 'collector:4318' } },
      [/^Configuration: opentelemetry\.endpoint: expected an http or https address\.$/],
    ],
  ])('are %s', async (_, overrides, expected) => {
    const found = await problems(overrides);
    expect(found).toEqual(expected.map((message) => expect.stringMatching(message)));
    expect(found.join()).not.toContain('hush');
  });
});
