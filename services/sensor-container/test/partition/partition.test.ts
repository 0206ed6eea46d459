import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartition, type PartitionDeps } from '../../src/partition/create-partition';

const refs = Array.from({ length: 60 }, (_, index) => `tests.Sensor${index}`);

function partition(provider: Record<string, string>, more: Partial<PartitionDeps> = {}) {
  const { owned } = createPartition({
    provider,
    nodeName: 'east',
    instance: 'a',
    datastore: { get: () => Promise.resolve(undefined) },
    logger: { warn: () => undefined },
    ...more,
  });
  return async (sharers = ['a']) => [...(await owned(refs, sharers))].sort();
}

describe('The default partition', () => {
  it('assigns all sensors to a single container', async () => {
    expect(await partition({ name: 'default' })()).toHaveLength(60);
    expect(await partition({})()).toHaveLength(60);
  });

  it('assigns each sensor to one of several containers', async () => {
    const parts = await Promise.all(['a', 'b', 'c'].map((instance) => partition({}, { instance })(['c', 'a', 'b'])));
    expect(parts.map((part) => part.length)).toEqual([20, 20, 20]);
    expect(parts.flat().sort()).toEqual([...refs].sort());
  });
});

describe('The partition by the datastore', () => {
  it.each([
    [undefined, []],
    ['', []],
    [' tests.Sensor1 ,tests.Sensor2,', ['tests.Sensor1', 'tests.Sensor2']],
  ])('reads %j as %j', async (value, expected) => {
    const asked: unknown[] = [];
    const datastore = {
      get: async (key: unknown) => {
        asked.push(key);
        return value === undefined ? undefined : ({ value } as never);
      },
    };
    expect(await partition({ name: 'kvstore' }, { datastore })()).toEqual(expected);
    expect(asked).toEqual([{ scope: 'system', name: 'east.sensor_partition' }]);
  });
});

describe('The partition by a file', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-test-'));
    path = join(directory, 'partition.yaml');
  });
  afterEach(() => rm(directory, { recursive: true }));
  const byFile = () => partition({ name: 'file', partition_file: path });

  it('follows the file; while the file is invalid, its last valid content applies', async () => {
    await writeFile(path, 'east: [tests.Sensor1]\nwest: []');
    const owned = byFile();
    expect(await owned()).toEqual(['tests.Sensor1']);
    await writeFile(path, 'east: []');
    expect(await owned()).toEqual([]);
    await writeFile(path, 'east: [tests.Sensor2]');
    expect(await owned()).toEqual(['tests.Sensor2']);
    await writeFile(path, 'west: [tests.Sensor3]');
    expect(await owned()).toEqual(['tests.Sensor2']);
  });

  it.each([
    ['west: []', 'does not name the node "east"'],
    ['- east', 'map names'],
    ['east: tests.Sensor1', 'list of references'],
    ['east: [', 'line 1'],
  ])('refuses %j', async (text, reason) => {
    await writeFile(path, text);
    await expect(byFile()()).rejects.toThrow(reason);
  });

  it('refuses a missing file', () => expect(byFile()()).rejects.toThrow('ENOENT'));
});

it.each([
  [{ name: 'nonsense' }, 'there is no provider "nonsense"; expected one of default, kvstore, file, hash'],
  [{ name: 'constructor' }, 'there is no provider'],
  [{ name: 'file' }, 'needs the option "partition_file"'],
  [{ name: 'hash' }, 'needs the option "hash_ranges"'],
  [{ name: 'hash', hash_ranges: '5..1' }, 'not a valid hash range'],
])('A partition by %j is refused', (provider, reason) => expect(() => partition(provider)).toThrow(reason));

it('A partition by hashes splits the space', async () => {
  const [low, high] = await Promise.all(
    ['MIN..2147483648', '2147483648..MAX'].map((hash_ranges) => partition({ name: 'hash', hash_ranges })()),
  );
  expect([...low!, ...high!].sort()).toEqual([...refs].sort());
  expect(low!.length).toBeGreaterThan(10);
});
