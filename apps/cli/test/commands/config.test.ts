import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svcBatch } from '../support/command-table';
import type { Finished } from '../support/run-svc';

const directory = mkdtempSync(join(tmpdir(), 'svc-config-'));
const [good, bad, refused] = ['good.conf', 'bad.conf', 'refused.conf'].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];

const lines = {
  good: ['config', 'check'],
  bad: ['config', 'check', '--config-file', bad],
  document: ['config', 'check', '--config-file', bad, '-j'],
  both: ['config', 'check', '--file', good, bad],
  refused: ['config', 'check', '--config-file', refused],
  changed: ['config', 'show', '-j'],
  section: ['config', 'show', 'database', '--all', '-j'],
  option: ['config', 'show', 'api.port', '-y'],
  table: ['config', 'show'],
  misspelt: ['config', 'show', 'api.prt'],
  broken: ['config', 'show', '--config-file', bad],
};

describe('svc config', () => {
  let runs: Readonly<Record<keyof typeof lines, Finished>>;
  beforeAll(async () => {
    writeFileSync(good, '[database]\npassword = s3cret\n[storage]\ndriver = mongodb\n');
    writeFileSync(bad, 'debug = true\n[api]\nport = many\n  more\nhots = x\n[syslog]\nhost = a\n');
    writeFileSync(
      refused,
      `[auth]\nuse_ssl = true\ncert = ${directory}/none.crt\nkey = ${directory}/none.key\n[messaging]\ndriver = rabbitmq\nurl = bus\n`,
    );
    const done = await svcBatch(Object.values(lines), { SVC_CONFIG_PATH: good, SVC_LOG__LEVEL: 'warn' });
    runs = Object.fromEntries(Object.keys(lines).map((name, index) => [name, done[index]!])) as typeof runs;
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('check ends with 0 if nothing is wrong', () => {
    expect(runs.good).toEqual({ code: 0, stdout: 'The configuration has no errors.\n', stderr: '' });
  });

  it('check lists all findings with their places, and ends with 1', () => {
    const { code, stdout } = runs.bad;
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      `error: Configuration option api.port: expected an integer, got "many\\nmore" (${bad} line 3).`,
      `error: Configuration: unknown option api.hots is ignored. Did you mean api.host? (${bad} line 5)`,
      expect.stringMatching(/^warning: Configuration: syslog\.host has no effect: .* line 7\)$/),
      'Errors: 2, warnings: 1',
      '',
    ]);
  });

  it('check also finds what services would refuse, and mentions a missing file once', () => {
    const missing = (option: string) =>
      expect.stringMatching(
        `^error: Configuration: auth\\.${option}: .* got ${directory}/none\\.\\w+: it does not exist`,
      );
    expect(runs.refused.stdout.split('\n')).toEqual([
      missing('cert'),
      missing('key'),
      'error: Configuration: messaging.url: expected an address such as amqp://user:password@host:5672, got "bus".',
      'Errors: 3, warnings: 0',
      '',
    ]);
    expect(runs.refused.code).toBe(1);
  });

  it('check prints one document', () => {
    expect(JSON.parse(runs.document.stdout)).toMatchObject([
      { level: 'error', kind: 'invalid' },
      { level: 'error', kind: 'unknown', origins: [`${bad} line 5`] },
      { level: 'warning', kind: 'no-effect' },
    ]);
    expect(runs.document.code).toBe(1);
  });

  it('check reads several files, each on its own', () => {
    expect([runs.both.code, runs.both.stdout]).toEqual([1, runs.bad.stdout]);
  });

  it('show prints what differs from the defaults, with masked secrets', () => {
    expect(JSON.parse(runs.changed.stdout)).toEqual([
      { option: 'storage.driver', value: 'mongodb', source: 'file', origin: `${good} line 4` },
      { option: 'database.password', value: '********', source: 'file', origin: `${good} line 2` },
      { option: 'log.level', value: 'warn', source: 'environment', origin: 'SVC_LOG__LEVEL' },
    ]);
    expect(runs.table.stdout).toMatch(/log\.level +\| warn +\| environment +\| SVC_LOG__LEVEL/);
  });

  it('show prints one section or one option', () => {
    const section = JSON.parse(runs.section.stdout) as { option: string; source: string }[];
    expect(section.every(({ option }) => option.startsWith('database.'))).toBe(true);
    expect(section).toContainEqual({ option: 'database.port', value: 27017, source: 'default', origin: null });
    expect(runs.option.stdout).toMatch(/option: api\.port\n.*value: 9101\n/s);
  });

  it('show names the closest option, and refers to check', () => {
    expect([runs.misspelt.code, runs.misspelt.stderr]).toEqual([
      2,
      'ERROR: There is no option api.prt. Did you mean api.port?\n',
    ]);
    expect([runs.broken.code, runs.broken.stderr]).toEqual([
      1,
      'ERROR: The configuration has errors: svc config check lists them.\n',
    ]);
    expect(runs.broken.stdout).toMatch(/DEFAULT\.debug +\| True/);
  });
});
