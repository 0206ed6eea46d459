import { join } from 'node:path';
import { chainedRecord, type AuditRecord } from '@switchyard/model';
import { openEmbedded } from '@switchyard/storage/embedded';
import { login, type ApiCaller } from './api-caller';
import { startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;

let system: SystemProcess;
let admin: ApiCaller;

async function start(directory?: string, config = ''): Promise<void> {
  system = await startSystem({ ...(directory === undefined ? {} : { directory }), config });
  admin = await login(system.api, system.auth);
}

async function stop(signal: NodeJS.Signals = 'SIGTERM', keepData = true): Promise<void> {
  admin.close();
  await system.stop({ signal, keepData });
}

beforeAll(() => start(), MINUTE);
afterAll(() => stop('SIGTERM', false), MINUTE);

const put = (index: number) =>
  admin.call('PUT', `/v1/keys/k${index}`, { name: `k${index}`, value: 'v' }).then(
    ({ status, headers }) => (status === 200 ? [String(headers['x-request-id'])] : []),
    () => [],
  );
const verify = async () => (await admin.call('GET', '/v1/audit/verify')).body;

/** Works on the files of the stopped system, and starts it again. */
async function byHand(work: (records: Records) => Promise<unknown>): Promise<void> {
  await stop();
  const connection = await openEmbedded({ directory: join(system.directory, 'store') });
  await work(connection.collection<AuditRecord>('audit'));
  await connection.close();
  await start(system.directory);
}

/** The part of the collection that the test uses. */
interface Records {
  find(filter: object): { toArray(): Promise<AuditRecord[]> };
  deleteOne(filter: object): Promise<unknown>;
  insertOne(record: object): Promise<unknown>;
  replaceOne(filter: object, record: object): Promise<unknown>;
}

it(
  'has a record of each change that was answered before kill -9, and an intact trail',
  async () => {
    const changes = Array.from({ length: 300 }, (_, index) => put(index));
    await changes[40];
    await stop('SIGKILL');
    const answered = (await Promise.all(changes)).flat();
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.length).toBeLessThan(300);
    await start(system.directory);
    for (const id of answered) {
      const { body } = await admin.call('GET', `/v1/audit?request_id=${id}`);
      expect(body).toEqual([
        expect.objectContaining({ kind: 'change', operation: 'key_value_pairs.put', user: 'testu' }),
      ]);
    }
    expect(await verify()).toMatchObject({ intact: true });
  },
  3 * MINUTE,
);

it(
  'names a record that was altered, removed or moved in the files',
  async () => {
    const changes = await Promise.all([put(1), put(2), put(3)]);
    expect(changes.flat()).toHaveLength(3);
    let original = {} as AuditRecord;
    const cases: [string, (records: Records, record: AuditRecord) => Promise<unknown>, string][] = [
      [
        'altered',
        (records, record) => records.replaceOne({ _id: record._id }, { ...record, user: 'eve' }),
        'It was altered',
      ],
      ['removed', (records, record) => records.deleteOne({ _id: record._id }), 'It is missing'],
      [
        'moved',
        async (records, record) => {
          const { writer, sequence, previous, ...entry } = record;
          await records.replaceOne(
            { _id: record._id },
            chainedRecord({ writer, sequence: sequence - 1, hash: '' }, entry.time, entry),
          );
          return previous;
        },
        'It does not follow',
      ],
    ];
    for (const [, damage, problem] of cases) {
      await byHand(async (records) => {
        const found = await records.find({ operation: 'key_value_pairs.put' }).toArray();
        original = found.sort((a, b) => a.time - b.time)[found.length - 2] ?? original;
        await damage(records, original);
      });
      const check = await verify();
      expect(check).toMatchObject({ intact: false, first_bad: original._id });
      expect(check.problem).toContain(problem);
      await byHand(async (records) => {
        await records.deleteOne({ _id: original._id });
        await records.insertOne(original);
      });
      expect(await verify()).toMatchObject({ intact: true });
    }
  },
  5 * MINUTE,
);

it(
  'records nothing while audit.enable is off',
  async () => {
    const total = async () => (await admin.call('GET', '/v1/audit?limit=1')).headers['x-total-count'];
    const before = await total();
    await stop();
    await start(system.directory, '[audit]\nenable = false\n');
    expect(await put(1)).toHaveLength(1);
    // The login of this start is not recorded either. Reads are never recorded.
    expect(Number(await total()) - Number(before)).toBeLessThanOrEqual(0);
    expect(system.output()).not.toContain('Request audited.');
    expect(await verify()).toMatchObject({ intact: true });
  },
  2 * MINUTE,
);
