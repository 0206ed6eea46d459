import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, MS_MICROS, newId } from '@switchyard/base';
import type { ConfigOverrides } from '@switchyard/config';
import { aChunk, anExecution } from '@switchyard/testkit/platform';
import { eventually, leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';
import { createGarbageCollector } from '../src';

const later = leakCheck();
type Options = Required<ConfigOverrides>['garbagecollector'];

async function started(garbagecollector: Options): Promise<TestSystem> {
  const system = await startSystem({
    overrides: { garbagecollector: { purge_inquiries: false, ...garbagecollector } },
  });
  later(() => system.close());
  return system;
}

/** Starts a collector for which some days have passed. */
async function collect({ platform, executions }: TestSystem, days: number): Promise<void> {
  const { clock } = platform;
  const ahead = { ...clock, nowMicros: () => clock.nowMicros() + days * DAY_MS * MS_MICROS };
  const collector = createGarbageCollector({ ...platform, clock: ahead, executions });
  await collector.start();
  later(() => collector.stop());
}

/** More than fit into one step. */
const MANY = 120;

async function storeMany({ platform }: TestSystem, fields: object = {}): Promise<void> {
  const now = platform.clock.nowMicros();
  for (let i = 0; i < MANY; i++) {
    const record = anExecution({ status: 'succeeded', start_timestamp: now + i, end_timestamp: now + i, ...fields });
    await platform.store.executions.insert(record);
    await platform.store.output.append([aChunk({ execution_id: record._id })]);
  }
}

const count = ({ platform }: TestSystem) => platform.store.executions.count();
const emptied = (system: TestSystem) =>
  eventually(
    async () => (await count(system)) === 0,
    () => 'all executions to be removed',
  );

it('removes executions that are older than their option, in several steps, and logs it', async () => {
  const system = await started({ action_executions_ttl: 3, action_executions_output_ttl: 0 });
  await storeMany(system);
  await collect(system, 4);
  await emptied(system);
  await eventually(
    () => system.platform.log.some((line) => line.includes('Removed old records.') && line.includes('120')),
    () => 'a line in the log',
  );
});

it('keeps executions that are younger, and removes old output of them', async () => {
  const system = await started({ action_executions_ttl: 30 });
  await storeMany(system);
  await collect(system, 8);
  const [first] = await system.platform.store.executions.list({ limit: 1 });
  await eventually(
    async () => (await system.platform.store.output.read(first!._id)).length === 0,
    () => 'old output to be removed',
  );
  expect(await count(system)).toBe(MANY);
});

it('finishes a removal that another collector has begun', async () => {
  const system = await started({ traces_ttl: 1 });
  const chunk = aChunk();
  await system.platform.store.output.append([chunk]);
  await system.platform.store.removals.insert({
    _id: newId(),
    executions: [chunk.execution_id],
    workflows: [],
    blobs: [],
  });
  await collect(system, 0);
  await eventually(
    async () => (await system.platform.store.removals.list()).length === 0,
    () => 'the removal to be completed',
  );
  expect(await system.platform.store.output.read(chunk.execution_id)).toEqual([]);
});

describe('with a directory for copies', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-archive-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const linesIn = (folder: string) =>
    readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));

  it('writes a line of JSON for each removed record, with its large result', async () => {
    const system = await started({ action_executions_ttl: 1, archive_path: directory });
    await storeMany(system);
    const result_blob = await system.platform.store.blobs.put('{"stdout":"large"}');
    const [large] = await system.platform.store.executions.list({ limit: 1 });
    await system.platform.store.executions.change(large!._id, {}, { set: { result_blob } });
    await collect(system, 2);
    await emptied(system);
    const records = linesIn(directory).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Set(records.map(({ _id }) => _id)).size).toBe(MANY);
    const copy = { result: '{"stdout":"large"}', status: 'succeeded' };
    expect(records.find(({ _id }) => _id === large!._id)).toMatchObject(copy);
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^executions-\d{4}-\d\d-\d\d\.jsonl$/)]);
  });

  it('removes nothing as long as the copies cannot be written', async () => {
    const path = join(directory, 'archive');
    writeFileSync(path, 'a file in place of the directory');
    const system = await started({ action_executions_ttl: 1, collection_interval: 1, archive_path: path });
    await storeMany(system);
    await collect(system, 2);
    await eventually(
      () => system.platform.log.some((line) => line.includes('Failed to remove old records; retrying.')),
      () => 'an error in the log',
    );
    expect(await count(system)).toBe(MANY);
    rmSync(path);
    await emptied(system);
    expect(linesIn(path)).toHaveLength(MANY);
  });
});
