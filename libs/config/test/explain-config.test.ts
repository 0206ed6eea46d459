import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainConfig, explainUnknownName } from '@switchyard/config';

const directory = mkdtempSync(join(tmpdir(), 'explain-config-'));
const file = join(directory, 'svc.conf');
afterAll(() => rmSync(directory, { recursive: true }));

function explained(text: string, environment: Record<string, string> = {}) {
  writeFileSync(file, text);
  const { options, findings } = explainConfig({ file, environment: { HOME: '/home/ada', ...environment } });
  return { findings, option: (name: string) => options.find(({ option }) => option === name), options };
}

const messagesIn = (text: string) => explained(text).findings.map(({ message }) => message);

describe('explainConfig', () => {
  it('reports every error, and goes on reading', () => {
    const { findings, option } = explained(
      '[api]\nport = many\nnonsense\nhost = 10.0.0.1\n[log\nlevel = x\n[rbac]\nenable = true\n[limits]\nmax_depth = 161\n',
    );
    expect(findings.map(({ kind, message }) => [kind, message.replace(file, 'FILE')])).toEqual([
      ['invalid', 'Configuration file FILE, line 3: expected [section] or name = value.'],
      ['invalid', 'Configuration file FILE, line 5: expected a section such as [name].'],
      ['invalid', `Configuration option api.port: expected an integer, got "many" (FILE line 2).`],
      ['invalid', `Configuration option limits.max_depth: expected at most 160, got "161" (FILE line 10).`],
      ['invalid', expect.stringContaining('rbac.enable = true needs rbac.backend = default')],
    ]);
    expect(option('api.host')).toMatchObject({ value: '10.0.0.1', source: 'file', origin: `${file} line 4` });
    expect(option('log.level')).toMatchObject({ value: 'info', source: 'default', origin: null });
  });

  it('names where each name without effect was set', () => {
    const { findings } = explained('[api]\nprt = 1\n[syslog]\nhost = a\nport = 1\n[timer]\nenable = true', {
      SVC_DATABASE__HOST: 'db',
    });
    expect(findings).toMatchObject([
      { kind: 'unknown', message: expect.stringContaining('Did you mean api.port?'), origins: [`${file} line 2`] },
      { kind: 'deprecated', origins: [`${file} line 7`] },
      { kind: 'no-effect', origins: [`${file} line 4`, `${file} line 5`] },
      {
        kind: 'no-effect',
        message: expect.stringContaining('[database] has no effect'),
        origins: ['SVC_DATABASE__HOST'],
      },
    ]);
  });

  it('reports files and directories that are named and cannot be read', () => {
    const text = `[auth]\ncert = ${directory}/missing.crt\nkey = ${directory}\nbackend_kwargs = {"file_path": "${directory}/htpasswd"}\n[python]\nwheels = ${file}\n`;
    expect(messagesIn(text)).toEqual([
      `Configuration: auth.cert: expected a file that can be read, got ${directory}/missing.crt: it does not exist.`,
      `Configuration: auth.key: expected a file that can be read, got ${directory}: it is a directory.`,
      `Configuration: python.wheels: expected a directory that can be read, got ${file}: it is a file.`,
      expect.stringContaining(`file_path in auth.backend_kwargs: expected a file that can be read`),
    ]);
  });

  it('reports what is not used of a logging file, and its syntax errors', () => {
    const logging = join(directory, 'logging.conf');
    writeFileSync(logging, '[logger_root]\nhandlers = a\n[handler_a]\nclass = SysLogHandler\nargs = ()\n');
    expect(messagesIn(`[auth]\nlogging = ${logging}\n`)).toContainEqual(
      expect.stringContaining('auth.logging: handler a in'),
    );
    writeFileSync(logging, 'nonsense');
    expect(messagesIn(`[auth]\nlogging = ${logging}\n`)).toEqual([expect.stringContaining('logging.conf, line 1')]);
  });

  it('gives the source of each value, and tells which differ from the defaults', () => {
    const { option, options } = explained('[api]\nport = 9101\nhost = a\n', {
      SVC_API__HOST: 'b',
      ST2_LOG__LEVEL: 'warn',
    });
    expect(option('api.host')).toMatchObject({ value: 'b', source: 'environment', origin: 'SVC_API__HOST' });
    expect(option('api.port')).toMatchObject({ source: 'file', origin: `${file} line 2`, isDefault: true });
    expect(options.filter(({ isDefault }) => !isDefault).map((each) => each.option)).toEqual(['api.host', 'log.level']);
    expect(option('system.base_path')).toMatchObject({ value: '/home/ada/.switchyard', source: 'default' });
  });

  it('masks secret options, and credentials in addresses', () => {
    const text = [
      '[database]\npassword = s3cret\nhost = mongodb://ada:s3cret@db/',
      '[messaging]\ncluster_urls = amqp://ada:s3cret@a, amqp://ada:s3cret@b',
      '[auth]\nbackend_kwargs = {"bind_password": "s3cret"}',
      '[rbac]\nbackend_kwargs = {"password": "s3cret"',
      '[content]\nindex_url = https://ada:s3cret@index/v1/index.json',
      '[coordination]\nurl = redis://:s3cret@lock',
    ];
    const { option, options, findings } = explained(text.join('\n'));
    expect(option('database.password')!.value).toBe('********');
    expect(option('content.index_url')!.value).toEqual(['https://********@index/v1/index.json']);
    expect(JSON.stringify([options, findings])).not.toContain('s3cret');
  });

  it('reports a file that is missing', () => {
    const { findings } = explainConfig({ file: join(directory, 'none.conf'), environment: {} });
    expect(findings).toMatchObject([
      { kind: 'unreadable', message: expect.stringContaining('none.conf cannot be read') },
    ]);
  });
});

test.each([
  ['api', undefined, undefined],
  ['API', 'auth-cookie-secure', undefined],
  ['apj', undefined, 'There is no section [apj]. Did you mean api?'],
  ['api', 'prt', 'There is no option api.prt. Did you mean api.port?'],
  ['syslog', 'host', expect.stringMatching(/^syslog\.host has no effect: log lines go to/)],
  ['database', 'ssl', 'database.ssl is deprecated, use database.tls.'],
])('explainUnknownName(%j, %j)', (section, option, expected) => {
  expect(explainUnknownName(section, option)).toEqual(expected);
});
