import { writeFileSync } from 'node:fs';
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
