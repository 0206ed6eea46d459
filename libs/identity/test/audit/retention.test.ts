import { DAY_MS, MS_MICROS } from '@switchyard/base';
import { paths } from '@switchyard/config';
import { checkTrail, createAuditTrail, expireAuditRecords, type AuditTrail } from '@switchyard/identity';
import type { AuditCheck, AuditEntry, AuditRecord } from '@switchyard/model';
import { connectMongo, createSealer, newKeyRing, openStore, type Store } from '@switchyard/storage';
import { openEmbedded } from '@switchyard/storage/embedded';
import { leakCheck, openTestSite, writeChecks } from '@switchyard/testkit/platform';

type Connection = Awaited<ReturnType<typeof connectMongo>>;

const later = leakCheck();
const lines: { message: string; fields: Record<string, unknown> | undefined }[] = [];
const keep = (message: string, fields?: Record<string, unknown>) => void lines.push({ message, fields });
const logger = { audit: keep, error: keep, warn: keep };
const DAY = DAY_MS * MS_MICROS;

let connection: Connection;
let store: Store;
let now: number;
let collector: AuditTrail;

beforeEach(async () => {
  lines.length = 0;
  now = 0;
  const { config, remove } = await openTestSite();
  later(remove);
  const onServer = config.storage.driver === 'mongodb';
  connection = onServer ? await connectMongo(config.database) : await openEmbedded({ directory: paths(config).store });
  later(() => connection.close());
  store = await openStore(connection, createSealer(newKeyRing()), { checkWrite: writeChecks() });
  collector = trail();
});

const trail = () => createAuditTrail({ store, clock: { nowMicros: () => now }, logger });
const byHand = () => connection.collection<AuditRecord>('audit');
const verify = (own?: AuditTrail): Promise<AuditCheck> =>
  checkTrail(store.audit, () => own?.head(), new AbortController().signal);
const expire = (days: number, recordOwn = collector.recordOwn) =>
  expireAuditRecords({ store, trail: { recordOwn }, logger }, now - days * DAY);

const entry = (user: string): AuditEntry => ({
  ...{ kind: 'change', user, authenticated_by: 'token', address: '127.0.0.1', operation: 'rules.post' },
  ...{ resource_type: 'rule', resource: 'core.one', outcome: 'succeeded', status: 201, request_id: 'r', changed: [] },
});

/** One entry a day. Checkpoints are made in between, as they fall due. */
async function recordDays(on: AuditTrail, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    now += DAY;
    await on.record(entry(`day${now / DAY}`));
    await on.settled();
  }
}

async function stored(): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  for await (const record of store.audit.chains()) records.push(record);
  return records;
}

const users = async () => (await stored()).flatMap(({ user }) => (user === '' ? [] : [user]));

it('removes what is too old, and the rest can still be verified', async () => {
  const ada = trail();
  await recordDays(ada, 10);
  expect(await expire(3)).toBe(12);
  await collector.settled();
  expect(await users()).toEqual(['day7', 'day8', 'day9', 'day10']);
  expect(await verify(ada)).toMatchObject({ intact: true, writers: 2 });
  const line = lines.find(({ message }) => message === 'Removing old audit records.');
  expect(line?.fields).toMatchObject({ kind: 'retention', resource: '1970-01-08T00:00:00.000000Z' });
});

it('removes nothing and records nothing while no record is old', async () => {
  await recordDays(trail(), 2);
  expect(await expire(2)).toBe(0);
  expect((await stored()).filter(({ kind }) => kind === 'retention')).toEqual([]);
});

it('continues for months, even when records of removals become old, and forgets chains that no record names', async () => {
  for (let process = 0; process < 12; process++) {
    const on = trail();
    for (let day = 0; day < 5; day++) {
      await recordDays(on, 1);
      await expire(7);
      await collector.settled();
      expect(await verify(on)).toMatchObject({ intact: true });
    }
  }
  const records = await stored();
  expect(records.filter(({ user }) => user !== '')).toHaveLength(8);
  const [newest] = records.filter(({ kind }) => kind === 'retention').reverse();
  expect(newest?.heads?.length).toBeLessThan(8);
});

describe('a record that is removed by hand is detected', () => {
  let on: AuditTrail;
  let ids: string[];
  beforeEach(async () => {
    on = trail();
    await recordDays(on, 6);
    await expire(3);
    await collector.settled();
    await recordDays(collector, 1);
    ids = (await stored()).filter(({ writer, kind }) => writer === on.head()?.writer && kind === 'change').map(({ _id }) => _id); // oxfmt-ignore
  });

  it.each([
    ['the first that was kept', 0],
    ['one in the middle', 1],
    ['the last', -1],
  ])('%s', async (_, index) => {
    await byHand().deleteOne({ _id: ids.at(index) as never });
    // The process that wrote it may have ended: then a checkpoint names it.
    expect(await verify()).toMatchObject({ intact: false, first_bad: ids.at(index) });
  });

  it('the one that names what was removed', async () => {
    const retention = (await stored()).find(({ kind }) => kind === 'retention');
    await byHand().deleteOne({ _id: retention?._id as never });
    expect(await verify()).toMatchObject({ intact: false });
  });
});

it('a crash before everything is removed does no harm, and the next run removes the rest', async () => {
  const on = trail();
  await recordDays(on, 10);
  const crashing: Store['audit'] = { ...store.audit, removeUpTo: () => Promise.reject(new Error('killed')) };
  const deps = { store: { audit: crashing }, trail: collector, logger };
  await expect(expireAuditRecords(deps, now - 3 * DAY)).rejects.toThrow('killed');
  await byHand().deleteOne({ user: 'day4' });
  expect(await verify(on)).toMatchObject({ intact: true });
  await expire(3);
  expect(await users()).toEqual(['day7', 'day8', 'day9', 'day10']);
  expect(await verify(on)).toMatchObject({ intact: true });
});

it('removes nothing if the store refuses the record about it', async () => {
  await recordDays(trail(), 10);
  await expect(expire(3, () => Promise.resolve(false))).rejects.toThrow('could not record');
  expect(await users()).toHaveLength(10);
});

it('keeps the old records of an altered chain, and names the bad record', async () => {
  const [good, bad] = [trail(), trail()];
  await recordDays(good, 5);
  await recordDays(bad, 10);
  const altered = (await stored()).find(({ user }) => user === 'day7');
  await byHand().updateOne({ _id: altered?._id as never }, { $set: { user: 'eve' } });
  await expire(3);
  const kept = await users();
  expect(kept).toHaveLength(10);
  expect(kept).toContain('eve');
  const line = lines.find(({ message }) => message.startsWith('The old audit records of a writer are kept'));
  expect(line?.fields).toMatchObject({ writer: bad.head()?.writer, record: altered?._id });
  expect(await verify()).toMatchObject({ intact: false, first_bad: altered?._id });
});

it('a check during which records are removed finds nothing wrong', async () => {
  const on = trail();
  await recordDays(on, 10);
  let removal: Promise<unknown> | undefined;
  const audit: Store['audit'] = {
    ...store.audit,
    async *chains() {
      await (removal ??= expire(3));
      yield* store.audit.chains();
    },
  };
  expect(await checkTrail(audit, () => on.head(), new AbortController().signal)).toMatchObject({ intact: true });
});
