import { anInstance, leakCheck, openTestPlatform } from '@switchyard/testkit/platform';
import { SCHEMA_VERSION } from '@switchyard/storage';
import { createProcessRecord, PROCESS } from '../../src';

const later = leakCheck();

it('the record of a process names its services, its version and the ports that others can use', async () => {
  const platform = await openTestPlatform({ api: { host: '0.0.0.0', port: 9101 }, stream: { port: 0 } });
  later(() => platform.close());
  const { store } = platform;
  const others = anInstance({ service: 'action-runner' });
  await store.instances.register(others);
  const services = [{ name: 'api' }, { name: 'stream' }, { name: 'timers' }];
  const record = createProcessRecord(platform, { services, version: '1.2.3' });
  await record.start();
  expect(await store.instances.list(PROCESS)).toEqual([
    expect.objectContaining({
      pid: process.pid,
      services: ['api', 'stream', 'timers'],
      version: '1.2.3',
      schema: SCHEMA_VERSION,
      listens: { api: { host: '0.0.0.0', port: 9101 } },
      keys: { records: { current: expect.any(String), known: [expect.any(String)] } },
    }),
  ]);
  await record.stop();
  expect((await store.instances.list()).map(({ _id }) => _id)).toEqual([others._id]);
});
