import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import { createLogger, fileDestination, loggerOptions } from '@switchyard/telemetry';

const directory = mkdtempSync(join(tmpdir(), 'log-'));
afterAll(() => rmSync(directory, { recursive: true }));
const read = (path: string) => readFileSync(path, 'utf8');

describe('fileDestination', () => {
  test('writes lines together shortly after the first, to a file that others cannot read', async () => {
    const path = join(directory, 'new', 'a.log');
    const destination = fileDestination(path);
    destination.write('one');
    destination.write('two');
    expect(read(path)).toBe('');
    while (read(path) === '') await wait(1);
    expect(read(path)).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o007).toBe(0);
    await destination.close();
  });

  test('continues in a new file after a rotation, without losing a line', async () => {
    const path = join(directory, 'b.log');
    const destination = fileDestination(path);
    destination.write('old');
    renameSync(path, `${path}.1`);
    destination.reopen();
    destination.write('new');
    await destination.close();
    expect([read(`${path}.1`), read(path)]).toEqual(['old\n', 'new\n']);
  });

  test('writes large amounts at once', async () => {
    const path = join(directory, 'c.log');
    const destination = fileDestination(path);
    destination.write('x'.repeat(70_000));
    expect(read(path)).toHaveLength(70_001);
    await destination.close();
  });

  test('listens once for the exit of the process for all destinations, and not after closing them', async () => {
    const before = process.listenerCount('exit');
    const destinations = Array.from({ length: 12 }, (_, index) =>
      fileDestination(join(directory, `many-${index}.log`)),
    );
    expect(process.listenerCount('exit')).toBe(before + 1);
    await Promise.all(destinations.map((destination) => destination.close()));
    expect(process.listenerCount('exit')).toBe(before);
  });
});

describe('loggerOptions', () => {
  const configOf = (overrides: ConfigOverrides) => loadConfig({ environment: {}, overrides }).config;

  test('fills in placeholders, masks configured names and also writes audit lines to their own file', async () => {
    const log = {
      file: join(directory, '{service}.{pid}.log'),
      audit_file: join(directory, '{service}.audit.log'),
      mask_secrets_blacklist: ['pin'],
    };
    const logger = createLogger(loggerOptions(configOf({ log }), 'api'));
    logger.info('Started.', { pin: '1234' });
    logger.audit('Token created.');
    await logger.close();
    logger.info('Too late.');
    expect(read(join(directory, `api.${process.pid}.log`))).toMatch(
      /^\S+Z INFO \[api\] Started\. \(pin=\*{8}\)\n\S+Z AUDIT \[api\] Token created\.\n$/,
    );
    expect(JSON.parse(read(join(directory, 'api.audit.log')))).toMatchObject({ message: 'Token created.' });
  });

  test.each<[ConfigOverrides, string]>([
    [{ log: { level: 'error' } }, 'error'],
    [{ log: { level: 'error' }, DEFAULT: { debug: true } }, 'debug'],
    [{ system: { debug: true } }, 'debug'],
    [{}, 'info'],
  ])('reads %j as level %s', (overrides, level) => {
    const outputs = [expect.objectContaining({ level, format: 'console' })];
    expect(loggerOptions(configOf(overrides), 'api')).toMatchObject({ outputs, mask: true });
  });

  test.each([
    ['auth', 'debug'],
    ['switchyard', 'debug'],
    ['api', 'info'],
  ])('reads auth.debug in the process %s as level %s', (service, level) => {
    const { outputs } = loggerOptions(configOf({ auth: { debug: true } }), service);
    expect(outputs).toEqual([expect.objectContaining({ level })]);
  });
});
