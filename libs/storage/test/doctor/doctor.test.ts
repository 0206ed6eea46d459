import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { paths, type Config } from '@switchyard/config';
import type { ExecutionRecord } from '@switchyard/model';
import { aChunk, anExecution, anInstance, leakCheck, openTestSite } from '@switchyard/testkit/platform';
import {
  connectMongo,
  createSealer,
  newKeyRing,
  openStore,
  type Connection,
  type KeyRing,
  type Store,
} from '../../src';
import {
  createBackup,
  examineStore,
  livingProcesses,
  putBack,
  repairFinding,
  type DoctorFinding,
} from '../../src/doctor';
import { openEmbedded } from '../../src/embedded';
import { damageRecords, deepBytes, garbled, truncated } from '../support/damage';

const later = leakCheck();
const ring = newKeyRing();
let config: Config;
let connection: Connection;
let store: Store;

const isEmbedded = () => config.storage.driver !== 'mongodb';

async function open(): Promise<void> {
  connection = isEmbedded()
    ? await openEmbedded({ directory: paths(config).store })
    : await connectMongo(config.database);
  store = await openStore(connection, createSealer(ring));
}

beforeEach(async () => {
  const site = await openTestSite();
  later(site.remove);
  config = site.config;
  await open();
  later(() => connection.close());
});

/** @param keys the keys of this process */
async function examined(keys: KeyRing = ring): Promise<DoctorFinding[]> {
  const sealer = createSealer(keys);
  const findings: DoctorFinding[] = [];
  const openers = { open: sealer.open, openItem: async (value: string) => sealer.open(value) };
  for await (const finding of examineStore(connection, openers)) findings.push(finding);
  return findings;
}

const told = (findings: readonly DoctorFinding[]) =>
  findings.map(({ collection, id, problem, remedy }) => [collection, id, problem, remedy]);

/** Repairs until nothing is left. @returns the backup */
async function repaired(): Promise<string> {
  const path = join(config.system.base_path, 'copy.jsonl');
  rmSync(path, { force: true });
  const backup = createBackup(path);
  for (let findings = await examined(); findings.length > 0; findings = await examined())
    for (const finding of findings)
      expect(await repairFinding({ connection, backup, now: 1_000_000 }, finding)).toMatchObject({ repaired: true });
  backup.close();
  return path;
}

/** Executions with a definition. */
async function stored(...records: Partial<ExecutionRecord>[]): Promise<ExecutionRecord[]> {
  const definition = { _id: '0'.repeat(64), action: { ref: 'tests.action' }, runner: { name: 'manual' } };
  await store.definitions.put(definition as never);
  const whole = records.map((record) => anExecution({ result: '{}', ...record }));
  for (const record of whole) await store.executions.insert(record);
  return whole;
}

describe('a store with inconsistent records', () => {
  it('has no findings while it is sound', async () => {
    const [parent] = await stored({ status: 'succeeded' });
    await stored({ status: 'succeeded', parent: parent!._id });
    await store.output.append([aChunk({ execution_id: parent!._id })]);
    expect(await examined()).toEqual([]);
  });

  it('finds orphaned records, and repairs them', async () => {
    const [child, , alone] = await stored(
      { status: 'succeeded', parent: 'f'.repeat(24) },
      { status: 'succeeded' },
      { status: 'succeeded', definition: '1'.repeat(64) },
    );
    const waiting = anExecution({ status: 'requested', definition: '2'.repeat(64) });
    await store.executions.insert(waiting);
    await store.output.append([1, 2].map((sequence) => aChunk({ execution_id: 'e'.repeat(24), sequence })));
    const blob = await store.blobs.put('{}');
    const lost = { id: 'd'.repeat(24), parts: 1, bytes: 2 };
    const [cut] = await stored({ status: 'failed', result_blob: lost });
    expect(told(await examined()).sort()).toEqual(
      [
        ['executions', child!._id, 'no-parent', 'detach'],
        ['executions', alone!._id, 'no-definition', 'stand-in'],
        ['executions', waiting._id, 'no-definition', 'end'],
        ['executions', cut!._id, 'bad-result', 'note'],
        ['execution_output', 'e'.repeat(24), 'no-owner', 'remove'],
        ['blobs', blob.id, 'no-owner', 'remove'],
      ].sort(),
    );
    await repaired();
    expect(await store.executions.get(child!._id)).not.toHaveProperty('parent');
    expect(await store.definitions.get('1'.repeat(64))).toMatchObject({ action: { ref: 'tests.action' } });
    expect(await store.executions.get(waiting._id)).toMatchObject({
      status: 'failed',
      result: expect.stringContaining('svc doctor'),
    });
    expect(await store.executions.get(cut!._id)).toMatchObject({
      status: 'failed',
      result: expect.stringContaining('missing'),
    });
  });

  it('reports sealed values whose key is missing, and keeps them', async () => {
    const sealer = createSealer(ring);
    const [record] = await stored({ status: 'succeeded', sealed_parameters: sealer.seal('[]') });
    const findings = await examined(newKeyRing());
    expect(told(findings)).toEqual([['executions', record!._id, 'sealed', 'none']]);
    expect(findings[0]!.detail).toMatch(/^sealed_parameters cannot be decrypted: .*key/);
  });

  it('reports results that cannot be shown', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const [nested, broken] = await stored({ status: 'failed', result: deep }, { status: 'failed', result: '{"a":' });
    expect(told(await examined())).toEqual([
      ['executions', nested!._id, 'bad-result', 'note'],
      ['executions', broken!._id, 'bad-result', 'note'],
    ]);
    await repaired();
  });

  it('reports a missing index, and builds it', async () => {
    await stored({ status: 'succeeded' });
    await connection.getClient().db(connection.name).collection('executions').dropIndex('liveaction_id_1');
    expect((await examined()).map(({ detail }) => detail)).toEqual(['the index liveaction_id_1 is missing']);
    await repaired();
  });

  it('ends an execution whose workflow is lost, and removes the remains of the workflow', async () => {
    const workflow = 'a'.repeat(24);
    const [record] = await stored({
      ...{ status: 'running', action_is_workflow: true, context: { user: 'ada', workflow_execution: workflow } },
      claim: { number: 1, instance: 'x', host: 'h', pid: 1 },
    });
    const run = { definition: 'x', parameters: [], options: {}, owner: 'x', open: true, depth: 0, started_at: 1 };
    await store.workflows.insert({ _id: workflow, execution: record!._id, ...run } as never);
    const step = createSealer(ring).seal('{}');
    for (const revision of [1, 3])
      await store.workflows.append({ _id: `${workflow}:${revision}`, workflow, revision, at: 1, step });
    expect(told(await examined())).toEqual([
      ['workflows', workflow, 'no-workflow', 'remove'],
      ['workflow_journal', workflow, 'no-workflow', 'remove'],
    ]);
    await repaired();
    const ended = await store.executions.get(record!._id);
    expect(ended).toMatchObject({ status: 'abandoned', end_timestamp: 1_000_000, log: [{}, { status: 'abandoned' }] });
    expect(ended).not.toHaveProperty('claim');
  });
});

it('lists the processes that use a store on a server, and none on the embedded one', async () => {
  const [alive, dead] = [anInstance({ host: 'here', pid: 17 }), anInstance({ pid: 18 })];
  for (const instance of [alive, dead]) await store.instances.register(instance);
  const beating = setInterval(() => void store.instances.beat(alive._id), 20);
  const living = await livingProcesses(connection, 500);
  clearInterval(beating);
  await store.instances.list();
  expect(living).toEqual(isEmbedded() ? [] : ['action-runner on here, process 17']);
});

describe('an embedded store with damaged bytes', () => {
  if (process.env['SVC_TEST_MONGODB_URL']) return it.skip('is not examined on servers', () => undefined);

  it('is examined, repaired after a backup, and restored', async () => {
    const [deep, deeper, cut, bad] = await stored(
      { status: 'succeeded' },
      { status: 'requested' },
      { status: 'running', request_key: 'k', log: [] },
      { status: 'succeeded' },
    );
    const directory = paths(config).store;
    await connection.close();
    const { parameters: _, ...fields } = deeper!;
    const before = damageRecords(directory, 'executions', (id, bytes) => {
      if (id === deep!._id) return deepBytes({ ...deep!, parameters: undefined }, 250, 'trigger');
      if (id === deeper!._id) return deepBytes(fields, 5000, 'parameters');
      return id === cut!._id ? truncated(bytes, 'runner_name') : garbled(bytes);
    });
    expect(before.size).toBe(4);
    const damaged = new Map(damageRecords(directory, 'executions', (_id, bytes) => bytes));
    await open();
    const listed = await store.executions.list({});
    expect(listed.filter((record) => 'unreadable' in record).map(({ _id }) => _id)).toEqual([cut!._id, bad!._id]);
    expect(told(await examined())).toEqual([
      ['executions', deep!._id, 'too-deep', 'note'],
      ['executions', deeper!._id, 'too-deep', 'note'],
      ['executions', cut!._id, 'unreadable', 'remove'],
      ['executions', bad!._id, 'unreadable', 'remove'],
    ]);
    const copy = await repaired();
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(await store.executions.get(deep!._id)).toMatchObject({ status: 'succeeded', result: '{}' });
    expect(JSON.stringify(await store.executions.get(deeper!._id))).toMatch(
      /"parameters":\{"a":\{"a":\{"a":"unreadable: nested deeper than 200 levels/,
    );
    expect(await store.executions.get(deeper!._id)).toMatchObject({ status: 'failed' });
    expect(await store.executions.count({})).toBe(2);
    // The key of a removed record is free again.
    await stored({ request_key: 'k' });
    await store.executions.list({});

    expect(readFileSync(copy, 'utf8').trim().split('\n')).toHaveLength(4);
    expect(await putBack(connection, copy)).toBe(4);
    await connection.close();
    const after = new Map(damageRecords(directory, 'executions', (id, bytes) => (damaged.has(id) ? bytes : undefined)));
    expect(after).toEqual(damaged);
    await open();
  });

  it('keeps an execution with a damaged end as an ended one', async () => {
    const [record] = await stored({ status: 'running', claim: { number: 1, instance: 'x', host: 'h', pid: 1 } });
    await connection.close();
    damageRecords(paths(config).store, 'executions', (_id, bytes) => truncated(bytes, 'web_url'));
    await open();
    expect(told(await examined())).toEqual([['executions', record!._id, 'unreadable', 'end']]);
    await repaired();
    expect(await store.executions.get(record!._id)).toMatchObject({
      ...{ status: 'abandoned', action_ref: 'tests.action', liveaction_id: record!.liveaction_id, pool: 'default' },
      result: expect.stringContaining('svc doctor has repaired this execution'),
    });
  });
});
