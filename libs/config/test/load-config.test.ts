import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, type ConfigOverrides } from '@switchyard/config';

const directory = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(directory, { recursive: true }));

let written = 0;
function fileWith(text: string): string {
  const path = join(directory, `${(written += 1)}.conf`);
  writeFileSync(path, text);
  return path;
}
const fromText = (text: string) => loadConfig({ file: fileWith(text), environment: {} });
const fromEnvironment = (environment: Record<string, string>) => loadConfig({ environment });

describe('loadConfig', () => {
  test('returns the defaults and no warnings without any source', () => {
    const { config, warnings } = loadConfig({ environment: { HOME: '/home/ada' } });
    expect(warnings).toEqual([]);
    expect(config.api).toMatchObject({ host: '127.0.0.1', port: 9101, auth_cookie_same_site: 'lax' });
    expect(config.system.base_path).toBe('/home/ada/.switchyard');
    expect(config.storage).toEqual({ driver: 'embedded', durability: 'commit' });
    expect(config).not.toHaveProperty('coordination');
  });

  test('prefers overrides over the environment, and the environment over the file', () => {
    const file = fileWith('[api]\nhost = file\nport = 1\nmax_page_size = 1\n');
    const environment = { SVC_CONFIG_PATH: file, SVC_API__HOST: 'environment', SVC_API__PORT: '2' };
    const { config } = loadConfig({ environment, overrides: { api: { host: 'overrides' } } });
    expect(config.api).toMatchObject({ host: 'overrides', port: 2, max_page_size: 1 });
  });

  test('prefers the given file over the one that the environment names', () => {
    const environment = { ST2_CONFIG_PATH: fileWith('[api]\nport = 1') };
    expect(loadConfig({ environment }).config.api.port).toBe(1);
    expect(loadConfig({ environment, file: fileWith('[api]\nport = 2') }).config.api.port).toBe(2);
  });

  test('accepts the prefix ST2_, but SVC_ takes precedence', () => {
    const { config } = fromEnvironment({ ST2_SSH_RUNNER__REMOTE_DIR: '/a', ST2_API__PORT: '1', SVC_API__PORT: '2' });
    expect(config.ssh_runner.remote_dir).toBe('/a');
    expect(config.api.port).toBe(2);
    expect(fromEnvironment({ ST2_DEFAULT__DEBUG: 'yes' }).config.DEFAULT.debug).toBe(true);
  });

  test('ignores other variables with these prefixes', () => {
    expect(fromEnvironment({ ST2_AUTH_TOKEN: 'x', SVC_API_URL: 'y', SVC_WORKERS: '4' }).warnings).toEqual([]);
  });

  test.each([
    ['section', '[apj]\nport = 1', 'Configuration: unknown section [apj] is ignored. Did you mean api?'],
    ['option', '[api]\nprt = 1', 'Configuration: unknown option api.prt is ignored. Did you mean api.port?'],
    [
      'option without a similar name',
      '[api]\nxylophone = 1',
      'Configuration: unknown option api.xylophone is ignored.',
    ],
    [
      'section that is a property of every object',
      '[constructor]\ntoString = 1',
      'Configuration: unknown section [constructor] is ignored.',
    ],
  ])('warns about an unknown %s', (_, text, warning) => {
    expect(fromText(text).warnings).toEqual([warning]);
  });

  test('warns once for each reason about options without effect', () => {
    const { warnings } = fromText('[syslog]\nhost = a\nport = 514\n[coordination]\nurl = redis://x\n');
    expect(warnings).toEqual([
      expect.stringMatching(/^Configuration: syslog\.host, syslog\.port have no effect: log lines go to /),
      expect.stringContaining('coordination.url has no effect: no lock server is needed'),
    ]);
  });

  test('accepts deprecated names, but the proper names of the same source take precedence', () => {
    const old = fromText('[timer]\nenable = False\n[database]\nssl = True\n');
    expect(old.config.timersengine.enable).toBe(false);
    expect(old.config.database.tls).toBe(true);
    expect(old.warnings).toContain('Configuration: timer.enable is deprecated, use timersengine.enable.');
    const both = fromText('[timersengine]\nlocal_timezone = UTC\n[timer]\nlocal_timezone = Europe/Rome\n');
    expect(both.config.timersengine.local_timezone).toBe('UTC');
  });

  test('warns about servers that the embedded drivers do not use', () => {
    const text = '[database]\nhost = db\n[messaging]\nurl = amqp://rabbit\n';
    expect(fromText(text).warnings).toEqual([
      'Configuration: [database] has no effect: storage.driver is embedded.',
      'Configuration: the address of RabbitMQ has no effect: messaging.driver is embedded.',
    ]);
    expect(fromText(`${text}driver = rabbitmq\n[storage]\ndriver = mongodb\n`).warnings).toEqual([]);
  });

  test.each([
    ['[api]\nport = many', 'Configuration option api.port: expected an integer, got "many"'],
    ['[limits]\nmax_depth = 161', 'limits.max_depth: expected at most 160, got "161"'],
    ['[metrics]\nsample_rate = 1.5', 'metrics.sample_rate: expected at most 1, got "1.5"'],
    ['[api]\nport = -1', 'Configuration option api.port: expected at least 0, got "-1"'],
    ['[api]\nmask_secrets = perhaps', 'api.mask_secrets: expected true or false, got "perhaps"'],
    ['[storage]\ndriver = paper', 'storage.driver: expected one of embedded, mongodb, got "paper"'],
    [
      '[auth]\nbackend_kwargs = {"password": "s3cret"',
      'auth.backend_kwargs: expected a JSON object, got a value that is not shown',
    ],
    ['[scheduler]\nuser_weights = ada:2,bob:none', 'name:0.5, with numbers above 0, got "ada:2,bob:none"'],
    ['[scheduler]\nuser_weights = ada:0', 'with numbers above 0'],
    ['[scheduler]\ninteractive_weight = 0', 'expected at least 0.001'],
    ['[limits]\nmax_nesting = 0', 'expected at least 1'],
    ['[sensorcontainer]\npartition_provider = hash', 'expected a list such as name:value,name:value, got "hash"'],
  ])('rejects %j', (text, message) => {
    const path = fileWith(text);
    const load = () => loadConfig({ file: path, environment: {} });
    expect(load).toThrow(
      expect.objectContaining({ code: 'config.invalid', message: expect.stringContaining(message) }),
    );
    expect(load).toThrow(`${path} line 2`);
  });

  test('names the variable with the invalid value', () => {
    expect(() => fromEnvironment({ ST2_API__PORT: 'x' })).toThrow('got "x" (ST2_API__PORT).');
  });

  test.each([
    ['[api]\nauth_cookie_same_site = None\nauth_cookie_secure = False', undefined],
    ['[api]\nauth_cookie_same_site = none\nauth_cookie_secure = False', 'needs api.auth_cookie_secure = true'],
    ['[actionrunner]\ndefault_pool = False\nlabels = gpu', undefined],
    ['[actionrunner]\ndefault_pool = False', 'actionrunner.default_pool = false needs actionrunner.labels'],
    ['[instances]\nheartbeat_ms = 5000', 'instances.lease_ms must be at least twice instances.heartbeat_ms'],
    ['[garbagecollector]\narchive_path = s3://copies/of/records', undefined],
    [
      '[garbagecollector]\narchive_path = s3:copies',
      'garbagecollector.archive_path must be a directory or s3://BUCKET/PREFIX',
    ],
    [
      '[garbagecollector]\narchive_s3_endpoint = s3.example.org',
      'garbagecollector.archive_s3_endpoint must be an address',
    ],
    ['[garbagecollector]\narchive_s3_secret_access_key = x', 'archive_s3_secret_access_key need each other'],
  ])('checks the combination %j', (text, message) => {
    const load = () => fromText(text);
    if (message === undefined) expect(load).not.toThrow();
    else
      expect(load).toThrow(
        expect.objectContaining({ code: 'config.conflict', message: expect.stringContaining(message) }),
      );
  });

  test.each([
    ['[rbac]\nenable = True\nbackend = default\n[auth]\nenable = False', 'rbac.enable = true needs auth.enable = true'],
    ['[rbac]\nenable = True', 'rbac.enable = true needs rbac.backend = default'],
  ])('rejects roles with %j', (text, message) => {
    expect(() => fromText(text)).toThrow(expect.objectContaining({ code: 'config.conflict' }));
    expect(() => fromText(text)).toThrow(message);
  });

  test('accepts roles with the default backend', () => {
    const { config, warnings } = fromText('[rbac]\nenable = True\nbackend = default');
    expect([config.rbac.enable, warnings]).toEqual([true, []]);
  });

  test.each([
    ['[rbac]\nsync_remote_groups = True', 'rbac.sync_remote_groups has no effect: rbac.enable is off'],
    ['[rbac]\npermission_isolation = True', 'rbac.permission_isolation has no effect: rbac.enable is off'],
    ['[garbagecollector]\narchive_s3_endpoint = http://127.0.0.1', 'archive_path does not begin with s3://'],
    [
      '[garbagecollector]\ntask_executions_ttl = 30',
      'task_executions_ttl has no effect: tasks are removed with their workflow',
    ],
    ['[scheduler]\ngc_interval = 5', 'scheduler.gc_interval has no effect: [sweep] sets when work counts as stuck'],
    ['[database]\ncompressors = zstd', 'database.compressors = zstd has no effect: zstd needs a native package'],
    [
      '[database]\nzlib_compression_level = 9',
      'database.zlib_compression_level has no effect: database.compressors is not zlib',
    ],
  ])('warns about %j, which has no effect', (text, warning) => {
    const { warnings } = fromText(`[storage]\ndriver = mongodb\n${text}`);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  test('has no warnings about options that are not set', () => {
    expect(fromText('').warnings).toEqual([]);
  });

  test('rejects a named file that does not exist', () => {
    const file = join(directory, 'missing.conf');
    expect(() => loadConfig({ file, environment: {} })).toThrow(
      expect.objectContaining({ code: 'config.unreadable-file', message: expect.stringContaining(file) }),
    );
  });

  test('accepts overrides as typed values and as strings, and checks both', () => {
    const load = (overrides: ConfigOverrides) => loadConfig({ environment: {}, overrides }).config;
    expect(load({ api: { port: 0 }, actionrunner: { labels: ['gpu'] } })).toMatchObject({
      api: { port: 0 },
      actionrunner: { labels: ['gpu'] },
    });
    expect(load({ api: { port: '7', allow_origin: 'a, b' } }).api).toMatchObject({ port: 7, allow_origin: ['a', 'b'] });
    expect(() => load({ api: { port: 1.5 } })).toThrow('api.port: expected an integer, got 1.5 (command line)');
  });

  test('freezes the result deeply, but not the values that the caller passed', () => {
    const labels = ['gpu'];
    const { config } = loadConfig({ environment: {}, overrides: { actionrunner: { labels } } });
    expect(Object.isFrozen(config.api) && Object.isFrozen(config.actionrunner.labels)).toBe(true);
    expect(Object.isFrozen(labels)).toBe(false);
  });
});
