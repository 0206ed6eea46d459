import { readFileSync, statSync } from 'node:fs';
import { createProcessRecord, type Service } from '@switchyard/host';
import { createDatastore, createValueCipher, openItemResealers } from '@switchyard/datastore';
import { openAccess } from '@switchyard/identity';
import { parseKeyRing } from '@switchyard/storage';
import { eventually, leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createKeyRotator } from '../src';

const later = leakCheck();

async function opened(): Promise<TestPlatform> {
  const platform = await openTestPlatform();
  later(() => platform.close());
  return platform;
}

async function started(...services: Service[]): Promise<void> {
  for (const service of services) {
    await service.start();
    later(() => service.stop());
  }
}

const rotator = (platform: TestPlatform) =>
  createKeyRotator({
    ...platform,
    itemResealer: openItemResealers({ path: platform.paths.datastoreKey, mayCreate: false }),
  });

const processRecord = (platform: TestPlatform) => createProcessRecord(platform, { services: [], version: '1.2.3' });

const datastoreOf = ({ store, clock, logger, paths }: TestPlatform) =>
  createDatastore({
    ...{ store, clock, logger, access: openAccess, systemUser: 'stanley' },
    cipher: createValueCipher({ enabled: true, path: paths.datastoreKey, mayCreate: true }),
  });

const stage = ({ store }: TestPlatform, wanted: string) =>
  eventually(
    async () => (await store.keyRotations.last())?.stage === wanted,
    () => `the rotation is not ${wanted}`,
  );

const ringAt = (path: string) => parseKeyRing(readFileSync(path, 'utf8'));

it('encrypts items and configurations again while others write, and everything stays readable', async () => {
  const platform = await opened();
  const { store, paths } = platform;
  const datastore = datastoreOf(platform);
  const key = (n: number) => ({ scope: 'system', name: `item${n}` }) as const;
  for (let n = 0; n < 300; n++) await datastore.put(key(n), { value: `before ${n}`, secret: true });
  await store.configs.upsert({ pack: 'tests', values: { password: 'hush' } });
  const former = [ringAt(paths.recordKey).current, ringAt(paths.datastoreKey).current];
  await started(processRecord(platform), rotator(platform), rotator(platform));
  await store.keyRotations.begin('ada', platform.clock.nowMicros());
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n = (n + 1) % 100) await datastore.put(key(n), { value: `after ${n}`, secret: true });
  })();
  await stage(platform, 'resealed');
  isOver = true;
  await writing;
  await store.keyRotations.retire('ada');
  await stage(platform, 'retired');
  const rings = [ringAt(paths.recordKey), ringAt(paths.datastoreKey)];
  expect(rings.map(({ keys }) => Object.keys(keys))).toEqual(rings.map(({ current }) => [current]));
  expect(rings.map(({ current }) => current)).not.toEqual(former);
  expect([paths.recordKey, paths.datastoreKey].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  // Another process that only has the files.
  const other = datastoreOf(platform);
  for (let n = 0; n < 300; n++) {
    const value = (await other.get(key(n), { decryptFor: 'ada' }))?.value;
    expect(n < 100 ? [`before ${n}`, `after ${n}`] : [`before ${n}`]).toContain(value);
  }
  expect((await store.configs.byKey('tests'))?.values).toEqual({ password: 'hush' });
});

it('waits for a process that has other key files, and reports which one', async () => {
  const platform = await opened();
  const away = { ...platform.recordKeys.reread() };
  const recordKeys = { ring: () => away, reread: () => away };
  await started(processRecord({ ...platform, recordKeys }), rotator(platform));
  await platform.store.keyRotations.begin('ada', platform.clock.nowMicros());
  const waiting = await eventually(
    async () => {
      const { waiting_for: names = [] } = (await platform.store.keyRotations.last()) ?? {};
      return names.length > 0 && names;
    },
    () => 'nothing waits',
  );
  expect(waiting).toEqual([expect.stringMatching(new RegExp(`^process ${process.pid} on `))]);
  expect(await platform.store.keyRotations.last()).toMatchObject({ stage: 'adding' });
  expect(ringAt(platform.paths.recordKey).current).toBe(away.current);
});
