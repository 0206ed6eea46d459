import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@switchyard/config';
import { captureDestination, createLogger } from '@switchyard/telemetry';
import { anExecution, anInstance, eventually, leakCheck, openTestPlatform } from '@switchyard/testkit/platform';
import { openPlatform } from '../src';

const later = leakCheck();

it('a platform keeps its data and its keys across a restart', async () => {
  const first = await openTestPlatform();
  later(() => first.close());
  const { record } = await first.store.executions.insert(anExecution());
  const sealed = first.sealer.seal('secret');
  const second = await first.reopen();
  later(() => second.close());
  expect(await second.store.executions.get(record._id)).toEqual(record);
  expect(second.sealer.open(sealed)).toBe('secret');
  await eventually(
    () => second.bus.ready(),
    () => 'a bus that is ready',
  );
});

it('a platform with an invalid key file releases the store', async () => {
  const platform = await openTestPlatform();
  later(() => platform.close());
  const { config, paths, logger } = platform;
  await platform.store.instances.register(anInstance());
  writeFileSync(paths.recordKey, 'broken');
  await expect(platform.reopen()).rejects.toMatchObject({ code: 'storage.key-file' });
  await expect(openPlatform(config, logger)).rejects.toMatchObject({ code: 'storage.key-file' });
});

it('a platform refuses an address that is none at once, without waiting for a server', async () => {
  const platform = await openTestPlatform();
  await platform.close();
  const { config, logger } = platform;
  const opened = (section: Partial<typeof config>) => openPlatform({ ...config, ...section }, logger);
  const database = { ...config.database, host: 'mongodb://me@' };
  await expect(opened({ storage: { ...config.storage, driver: 'mongodb' }, database })).rejects.toMatchObject({
    code: 'config.conflict',
    message: expect.stringContaining('[database] cannot be used'),
  });
  const messaging = { ...config.messaging, driver: 'rabbitmq', url: 'http://bus' } as const;
  await expect(opened({ messaging: { ...messaging, cluster_urls: [] } })).rejects.toMatchObject({
    code: 'config.conflict',
    message: expect.stringContaining('messaging.url: expected an address'),
  });
});

describe('files below the base directory', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  it('are made private at every start, except packs and their environments', async () => {
    const first = await openTestPlatform();
    later(() => first.close());
    const { base, packs, virtualenvs, store } = first.paths;
    const isEmbedded = process.env['SVC_TEST_MONGODB_URL'] === undefined;
    const kept = isEmbedded ? [store, join(store, 'data.sqlite'), join(store, 'data.sqlite-wal')] : [];
    expect(kept.map(modeOf)).toEqual(isEmbedded ? ['700', '600', '600'] : []);
    await first.store.instances.register(anInstance());
    for (const directory of [store, packs, virtualenvs, join(base, 'configs'), join(base, 'elsewhere')]) {
      mkdirSync(directory, { recursive: true });
      chmodSync(directory, 0o755);
    }
    writeFileSync(join(base, 'htpasswd'), 'ada:secret', { mode: 0o644 });
    symlinkSync(join(base, 'elsewhere'), join(base, 'link'));
    chmodSync(store, 0o755);
    const second = await first.reopen();
    later(() => second.close());
    const modes = Object.fromEntries(readdirSync(base).map((name) => [name, modeOf(join(base, name))]));
    expect(modes).toMatchObject({ packs: '755', virtualenvs: '755', configs: '700', htpasswd: '600', store: '700' });
  });
});

describe('DEFAULT.profile', () => {
  const operations = (log: readonly string[]) =>
    log.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ operation }) => operation !== undefined);

  it('logs each operation on the store and its filter, without the values written', async () => {
    const platform = await openTestPlatform({ DEFAULT: { profile: true } });
    later(() => platform.close());
    const { record } = await platform.store.executions.insert(anExecution({ parameters: { word: 'mellon' } }));
    await platform.store.executions.get(record._id);
    const lines = operations(platform.log).filter(({ collection }) => collection === 'executions');
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'info', operation: 'findOne', filter: { _id: record._id } }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ operation: 'insertOne' }));
    expect(platform.log.join('\n')).not.toContain('mellon');
  });

  it('logs no operations if it is off', async () => {
    const platform = await openTestPlatform();
    later(() => platform.close());
    await platform.store.executions.get('none');
    expect(operations(platform.log)).toEqual([]);
  });
});

it('a platform retries its broker as often as configured, and then reports why it does not start', async () => {
  const broker = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  later(() => void broker.close());
  const { port } = broker.address() as AddressInfo;
  const directory = mkdtempSync(join(tmpdir(), 'svc-platform-'));
  later(() => rmSync(directory, { recursive: true }));
  const { config } = loadConfig({
    environment: {},
    overrides: {
      system: { base_path: directory },
      messaging: {
        driver: 'rabbitmq',
        url: `amqp://127.0.0.1:${port}/`,
        connection_retries: 2,
        connection_retry_wait: 5,
      },
    },
  });
  const destination = captureDestination();
  const logger = createLogger({
    service: 'x',
    mask: true,
    maskNames: [],
    outputs: [{ level: 'info', format: 'json', destination }],
  });
  later(() => logger.close());
  await expect(openPlatform(config, logger)).rejects.toMatchObject({ code: 'messaging.unavailable' });
  expect(destination.lines.filter((line) => line.includes('No connection to the message broker.'))).toHaveLength(3);
});

it('refuses an address for spans that is not one, without showing it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-platform-spans-'));
  later(() => rmSync(directory, { recursive: true }));
  const opentelemetry = { enable: true, endpoint: 'localhost:4318/key-1' };
  const { config } = loadConfig({ environment: {}, overrides: { system: { base_path: directory }, opentelemetry } });
  const logger = createLogger({ service: 'x', mask: true, maskNames: [], outputs: [] });
  await expect(openPlatform(config, logger)).rejects.toMatchObject({
    code: 'config.conflict',
    message: expect.stringMatching(/opentelemetry.endpoint: expected an http or https address(?!.*key-1)/) as string,
  });
});
