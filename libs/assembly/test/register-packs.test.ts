import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, leakCheck, openTestPlatform } from '@switchyard/testkit/platform';
import { createAssembly } from '../src';
import { startRegistrationOf } from '../src/register-packs';

const later = leakCheck();

/** A platform with two packs of a user, and a function that starts a process on it. */
async function site() {
  const platform = await openTestPlatform({ python: { shared_environment: false } });
  later(() => platform.close());
  const write = async (path: string, text: string) => {
    const file = join(platform.paths.base, 'packs', path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  };
  const action = (name: string, description: string) =>
    `name: ${name}\nrunner_type: noop\ndescription: ${description}\nenabled: true\n`;
  for (const pack of ['mine', 'yours']) {
    await write(`${pack}/pack.yaml`, `name: ${pack}\ndescription: A pack.\nversion: 1.0.0\nauthor: Somebody\n`);
    await write(`${pack}/actions/run.yaml`, action('run', 'first'));
  }
  const start = () => {
    const registration = startRegistrationOf(createAssembly(platform, process.env));
    later(() => registration.stop());
    return registration;
  };
  return { store: platform.store, write, action, start };
}

it('registers everything at the first start, and later only changes', async () => {
  const { store, write, action, start } = await site();
  const first = await start().registerChanged();
  expect(first.changed).toEqual(expect.arrayContaining(['core', 'mine', 'yours']));
  expect(first.unchanged).toEqual([]);
  await write('mine/actions/run.yaml', action('run', 'second'));
  expect((await start().registerChanged()).changed).toEqual(['mine']);
  expect((await store.actions.byKey('mine.run'))?.description).toBe('second');
});

it('restores lost records: those of core before the start, others in the background', async () => {
  const { store, start } = await site();
  await start().registerChanged();
  for (const ref of ['core.local', 'mine.run']) await store.actions.remove((await store.actions.byKey(ref))?._id ?? '');
  const registration = start();
  await registration.registerChanged();
  expect(await store.actions.byKey('core.local')).toBeDefined();
  registration.checkUnchanged();
  await eventually(
    () => store.actions.byKey('mine.run'),
    () => 'mine.run has not been restored',
  );
});

it('stops its background work', async () => {
  const { start } = await site();
  await start().registerChanged();
  const registration = start();
  await registration.registerChanged();
  registration.checkUnchanged();
  await registration.stop();
});
