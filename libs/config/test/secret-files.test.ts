import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainConfig, loadConfig } from '@switchyard/config';
import { isLegacy } from '../src/option';
import { optionSections } from '../src/option-table';

const directory = mkdtempSync(join(tmpdir(), 'secret-files-'));
const file = join(directory, 'svc.conf');
afterAll(() => rmSync(directory, { recursive: true }));

function secret(name: string, content: string): string {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
}

function sources(text: string, environment: Record<string, string> = {}) {
  writeFileSync(file, text);
  return { file, environment: { HOME: directory, ...environment } };
}
const load = (...given: Parameters<typeof sources>) => loadConfig(sources(...given));

describe('an option read from a file', () => {
  it.each([
    ['s3cret', 's3cret'],
    ['s3cret\n', 's3cret'],
    ['s3cret\r\n', 's3cret'],
    [' "s3 # cret" \n\n', ' "s3 # cret" \n'],
  ])('of content %j is %j', (content, password) => {
    const path = secret('password', content);
    const { config } = load('', { SVC_DATABASE__PASSWORD_FILE: path, SVC_STORAGE__DRIVER: 'mongodb' });
    expect(config.database.password).toBe(password);
  });

  it('can be of any type, and is named in the file or the environment', () => {
    const port = secret('port', '9201\n');
    const settings = secret('kwargs', '{\n  "bind_password": "s3cret"\n}\n');
    const { config, warnings } = load('[api]\nport-file = ~/port\n', { ST2_AUTH__BACKEND_KWARGS_FILE: settings });
    expect(port).toBe(join(directory, 'port'));
    expect(config.api.port).toBe(9201);
    expect(config.auth.backend_kwargs).toEqual({ bind_password: 's3cret' });
    expect(warnings).toEqual([]);
  });

  it('follows the order of the sources', () => {
    const host = secret('host', 'secret');
    expect(load('[api]\nhost = file', { SVC_API__HOST_FILE: host }).config.api.host).toBe('secret');
    expect(load(`[api]\nhost_file = ${host}`, { SVC_API__HOST: 'environment' }).config.api.host).toBe('environment');
    expect(load('[api]\nhost = file\nport_file =', {}).config.api).toMatchObject({ host: 'file', port: 9101 });
  });

  it('may not be set directly by the same source', () => {
    const path = secret('password', 's3cret');
    expect(() => load(`[database]\npassword = a\npassword_file = ${path}`)).toThrow(
      expect.objectContaining({
        code: 'config.conflict',
        message: `Configuration: expected either database.password or database.password_file, got both (${file} line 2, ${file} line 3).`,
      }),
    );
    expect(() => load('', { SVC_TIMERSENGINE__ENABLE_FILE: path, SVC_TIMER__ENABLE: 'no' })).toThrow('got both');
  });

  it.each([
    ['missing', 'it does not exist'],
    ['directory', 'it is not a file'],
    ['large', 'it has more than 1 MB'],
  ])('that is %s is an error with the option and the path', (name, reason) => {
    mkdirSync(join(directory, 'directory'), { recursive: true });
    secret('large', 'x'.repeat(2 ** 20 + 1));
    const path = join(directory, name);
    expect(() => load('', { SVC_DATABASE__PASSWORD_FILE: path })).toThrow(
      `Configuration option database.password: expected a file that can be read, got ${path}: ${reason} (SVC_DATABASE__PASSWORD_FILE).`,
    );
  });

  it('never appears in messages or in what is shown', () => {
    const path = secret('mode', 's3cret');
    expect(() => load(`[auth]\nmode_file = ${path}`)).toThrow(
      `Configuration option auth.mode: expected one of standalone, proxy, got a value that is not shown (${file} line 2: ${path}).`,
    );
    const { options } = explainConfig(sources(`[auth]\nbackend_file = ${path}`));
    const { value, source, origin } = options.find(({ option }) => option === 'auth.backend')!;
    expect([value, source, origin]).toEqual(['********', 'secret file', `${file} line 2: ${path}`]);
  });

  it('does not change what options with such a name mean', () => {
    expect(load('[log]\naudit_file = /logs/audit\nfile = /logs/all').config.log).toMatchObject({
      audit_file: '/logs/audit',
      file: '/logs/all',
    });
    const names = Object.entries(optionSections).flatMap(([section, entries]) =>
      Object.entries(entries).flatMap(([name, entry]) => (isLegacy(entry) ? [] : [`${section}.${name}`])),
    );
    expect(names.filter((name) => names.includes(`${name}_file`))).toEqual([]);
    expect(load('[log]\nlevl_file = x').warnings).toEqual([expect.stringContaining('unknown option log.levl_file')]);
  });
});
