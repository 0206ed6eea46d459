import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anExecution, anInstance, eventually, leakCheck, openTestPlatform } from '@switchyard/testkit/platform';
import { openPlatform } from '../src';

const later = leakCheck();

it('a platform keeps what is stored, and its keys, over a restart', async () => {
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

it('a platform whose key file is broken lets go of the store', async () => {
  const platform = await openTestPlatform();
  later(() => platform.close());
  const { config, paths, logger } = platform;
  await platform.store.instances.register(anInstance());
  writeFileSync(paths.recordKey, 'broken');
  await expect(platform.reopen()).rejects.toMatchObject({ code: 'storage.key-file' });
  await expect(openPlatform(config, logger)).rejects.toMatchObject({ code: 'storage.key-file' });
});

describe('files below the base directory', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  it('are closed to other users at every start, packs and their environments aside', async () => {
    const first = await openTestPlatform();
    later(() => first.close());
    const { base, packs, virtualenvs, store } = first.paths;
    expect([store, join(store, 'data.sqlite'), join(store, 'data.sqlite-wal')].map(modeOf)).toEqual([
      '700',
      '600',
      '600',
    ]);
    await first.store.instances.register(anInstance());
    for (const directory of [packs, virtualenvs, join(base, 'configs'), join(base, 'elsewhere')]) {
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
