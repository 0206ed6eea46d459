import { newId } from '@switchyard/base';
import type { ActionRecord } from '@switchyard/model';
import {
  aChunk,
  anAction,
  anInstance,
  aRunnerType,
  leakCheck,
  openTestPlatform,
  type TestPlatform,
} from '@switchyard/testkit/platform';
import type { Store } from '../../src';

let platform: TestPlatform;
let store: Store;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  store = platform.store;
});

describe('resources', () => {
  it('are found by key and by id', async () => {
    const action = await store.actions.insert(anAction({ name: 'found' }));
    for (const find of [store.actions.find, store.actions.byKey]) expect(await find('tests.found')).toEqual(action);
    for (const find of [store.actions.find, store.actions.get]) expect(await find(action._id)).toEqual(action);
    expect(await store.actions.find('nothing')).toBeUndefined();
  });

  it('are rejected when they exist, naming the existing one', async () => {
    const first = await store.actions.insert(anAction({ name: 'twice' }));
    await expect(store.actions.insert(anAction({ name: 'twice' }))).rejects.toMatchObject({
      code: 'storage.duplicate',
      status: 409,
      message: 'Tried to save duplicate unique keys (ref: "tests.twice")',
      extra: { 'conflict-id': first._id },
    });
  });

  it('cannot take the key of another one', async () => {
    const first = await store.actions.insert(anAction({ name: 'taken' }));
    const second = await store.actions.insert(anAction({ name: 'taker' }));
    const { ref, name } = first;
    await expect(store.actions.replace({ ...second, ref, name })).rejects.toMatchObject({
      code: 'storage.duplicate',
      message: 'Tried to save duplicate unique keys (ref: "tests.taken")',
      extra: { 'conflict-id': first._id },
    });
    expect(await store.actions.get(second._id)).toEqual(second);
  });

  it('replace the record with their key and keep its id', async () => {
    const { _id, ...action }: ActionRecord = anAction({ name: 'put', description: 'one' });
    const first = await store.actions.upsert(action);
    const second = await store.actions.upsert({ ...action, description: 'two' });
    expect(second).toEqual({ ...first, description: 'two' });
    expect(await store.actions.count({ name: 'put' })).toBe(1);
    expect(_id).not.toBe(first._id);
  });

  it('are replaced and removed if they exist', async () => {
    const action = await store.actions.insert(anAction({ name: 'gone', description: 'old' }));
    const { description, ...bare } = action;
    expect(await store.actions.replace(bare)).toBe(true);
    expect(await store.actions.get(action._id)).toEqual(bare);
    expect(await store.actions.remove(action._id)).toBe(true);
    expect(await store.actions.remove(action._id)).toBe(false);
    expect(await store.actions.replace(bare)).toBe(false);
    expect(description).toBe('old');
  });
});

describe('definitions', () => {
  it('with equal content are stored once', async () => {
    const action = anAction({ name: 'defined' });
    const runner = aRunnerType();
    const one = store.definitions.snapshot(action, runner);
    expect(store.definitions.snapshot({ ...action }, { ...runner })._id).toBe(one._id);
    expect(store.definitions.snapshot({ ...action, enabled: false }, runner)._id).not.toBe(one._id);
    expect(await store.definitions.get(one._id)).toBeUndefined();
    await Promise.all(Array.from({ length: 5 }, () => store.definitions.put({ ...one })));
    expect(await store.definitions.get(one._id)).toEqual(one);
    const { action: kept } = (await store.definitions.get(one._id))!;
    expect(kept).toMatchObject({ id: action._id, ref: 'tests.defined' });
  });
});

describe('blobs', () => {
  // Random bytes, so that compression does not reduce them to one part.
  const noise = (bytes: number) =>
    Array.from({ length: Math.ceil(bytes / 24) }, newId)
      .join('')
      .slice(0, bytes);

  it.each([
    ['nothing', ''],
    ['text', 'žluťoučký 🐎 \u0000'],
    [
      'several parts',
      noise(200).repeat(4) +
        Buffer.from(Array.from({ length: 9_000_000 }, (_, i) => (i * i * 31) % 251)).toString('base64'),
    ],
  ])('of %s are read back', async (_, text) => {
    const pointer = await store.blobs.put(text);
    expect(pointer.bytes).toBe(Buffer.byteLength(text));
    expect((await store.blobs.get(pointer)) === text).toBe(true);
    await store.blobs.remove(pointer);
    expect(await store.blobs.get(pointer)).toBeUndefined();
  });

  it('are missing while a part is missing', async () => {
    const pointer = await store.blobs.put('text');
    expect(await store.blobs.get({ ...pointer, parts: 2 })).toBeUndefined();
  });
});

describe('output', () => {
  it('is read in order, page by page, and removed as a whole', async () => {
    const execution_id = newId();
    await store.output.append([3, 1, 2].map((sequence) => aChunk({ execution_id, sequence })));
    await store.output.append([]);
    const sequences = async (options?: object) =>
      (await store.output.read(execution_id, options)).map(({ sequence }) => sequence);
    expect(await sequences()).toEqual([1, 2, 3]);
    expect(await sequences({ after: 1, limit: 1 })).toEqual([2]);
    await store.output.remove(execution_id);
    expect(await sequences()).toEqual([]);
  });

  it('never has two chunks with one number', async () => {
    const chunk = aChunk({ sequence: 1 });
    await store.output.append([chunk]);
    await expect(store.output.append([{ ...chunk, _id: newId() }])).rejects.toThrow();
  });
});

describe('instances', () => {
  it('send heartbeats as long as their record exists', async () => {
    const instance = anInstance({ slots: 3, pools: ['default'] });
    await store.instances.register(instance);
    expect(await store.instances.beat(instance._id)).toBe(true);
    expect(await store.instances.get(instance._id)).toEqual({ ...instance, beat: 1 });
    expect(await store.instances.list('action-runner')).toHaveLength(1);
    expect(await store.instances.list('other')).toHaveLength(0);
    await store.instances.remove(instance._id);
    expect(await store.instances.beat(instance._id)).toBe(false);
    expect(await store.instances.get(instance._id)).toBeUndefined();
  });

  it('of one process beat with one write, and each learns whether its record exists', async () => {
    const watched = await openTestPlatform({ DEFAULT: { profile: true } });
    later(() => watched.close());
    const { instances } = watched.store;
    const [one, two, gone] = [anInstance(), anInstance(), anInstance()];
    for (const instance of [one, two]) await instances.register(instance);
    const keys = { records: { current: 'k1', known: ['k1'] } };
    const before = watched.log.length;
    expect(await Promise.all([instances.beat(one._id), instances.beat(two._id, keys)])).toEqual([true, true]);
    expect(watched.log.slice(before).map((line) => (JSON.parse(line) as { operation: string }).operation)).toEqual(['bulkWrite']); // oxfmt-ignore
    expect(await Promise.all([instances.beat(one._id), instances.beat(gone._id)])).toEqual([true, false]);
    expect([await instances.get(one._id), await instances.get(two._id)]).toEqual([
      { ...one, beat: 2 },
      { ...two, beat: 1, keys },
    ]);
  });

  it('may register again, and are removed together', async () => {
    const instance = anInstance();
    await store.instances.register(instance);
    await store.instances.register(instance);
    expect(await store.instances.list()).toHaveLength(1);
    await store.instances.clear();
    expect(await store.instances.list()).toEqual([]);
  });
});

it('a trigger instance is stored once per request key', async () => {
  const record = () => ({
    _id: newId(),
    trigger: 't',
    payload: {},
    occurrence_time: 1,
    status: 'pending' as const,
    request_key: 'k',
  });
  const all = await Promise.all(Array.from({ length: 5 }, () => store.triggerInstances.insertOnce(record())));
  expect(all.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(all.map(({ record: { _id } }) => _id)).size).toBe(1);
  expect(await store.triggerInstances.list()).toHaveLength(1);
});

it('an open store responds to a ping', () => expect(store.ping()).resolves.toBeUndefined());
