import { createAuditTrail, type AuditTrail } from '@switchyard/identity';
import { chainCheck, type AuditEntry, type AuditRecord } from '@switchyard/model';
import type { AuditRepository } from '@switchyard/storage';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';

let platform: TestPlatform;
const lines: { message: string; fields: Record<string, unknown> | undefined }[] = [];
const keep = (message: string, fields?: Record<string, unknown>) => void lines.push({ message, fields });
const logger = { audit: keep, error: keep, warn: keep };

beforeEach(async () => {
  lines.length = 0;
  platform = await openTestPlatform();
});
afterEach(() => platform.close());

const entry = (user: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ kind: 'change', user, authenticated_by: 'token', address: '127.0.0.1', operation: 'rules.post' },
  ...{ resource_type: 'rule', resource: 'core.one', outcome: 'succeeded', status: 201, request_id: 'r', changed: [] },
  ...more,
});

const trailOn = (audit: AuditRepository, metrics?: Parameters<typeof createAuditTrail>[0]['metrics']): AuditTrail =>
  createAuditTrail({ store: { audit }, clock: platform.clock, logger, ...(metrics ? { metrics } : {}) });

async function stored(): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  for await (const record of platform.store.audit.chains()) records.push(record);
  return records;
}

async function checked(trails: readonly AuditTrail[]) {
  const records = await stored();
  const check = chainCheck([
    ...trails.flatMap((trail) => trail.head() ?? []),
    ...records.flatMap(({ heads = [] }) => heads),
  ]);
  for (const record of records) if (!check.take(record)) break;
  return check.finish();
}

it('resolves once an entry is stored, and writes a line about it', async () => {
  const trail = trailOn(platform.store.audit);
  await trail.record(entry('ada'));
  await trail.settled();
  const [record] = (await stored()).filter(({ kind }) => kind === 'change');
  expect(record).toMatchObject({ user: 'ada', operation: 'rules.post', resource: 'core.one' });
  const line = { id: record?._id, hash: record?.hash, user: 'ada', outcome: 'succeeded' };
  expect(lines).toEqual([{ message: 'Request audited.', fields: expect.objectContaining(line) }]);
});

it('chains the entries of two concurrent writers, which name each other in checkpoints', async () => {
  const first = trailOn(platform.store.audit);
  await first.record(entry('ada'));
  await first.settled();
  const second = trailOn(platform.store.audit);
  const users = Array.from({ length: 50 }, (_, index) => `user${index}`);
  await Promise.all(users.flatMap((user) => [first.record(entry(user)), second.record(entry(user))]));
  await Promise.all([first.settled(), second.settled()]);
  expect(await checked([first, second])).toEqual({ intact: true, records: 103, writers: 2 });
  const named = (await stored()).flatMap(({ heads = [] }) => heads).map(({ writer }) => writer);
  expect(named).toEqual([first.head()?.writer]);
});

it('names a chain again only when it has grown', async () => {
  const [one, two] = [trailOn(platform.store.audit), trailOn(platform.store.audit)];
  await one.record(entry('ada'));
  await one.settled();
  const [other] = [one.head()!.writer];
  const namedBy = async (trail: AuditTrail) =>
    (await stored())
      .filter(({ kind, writer }) => kind === 'checkpoint' && writer === trail.head()?.writer)
      .map(({ heads = [] }) => heads.map(({ writer, sequence }) => [writer, sequence]));
  const untilCheckpoint = async () => {
    for (let count = 0; count < 1000; count++) void two.record(entry('bob'));
    await two.record(entry('bob'));
    await two.settled();
  };
  await untilCheckpoint();
  await untilCheckpoint();
  await one.record(entry('ada'));
  const three = trailOn(platform.store.audit);
  await three.record(entry('eve'));
  await three.settled();
  await untilCheckpoint();
  const named = await namedBy(two);
  expect(named.slice(0, 2)).toEqual([[[other, 2]], []]);
  expect(named.at(-1)).toEqual([
    [other, 3],
    [three.head()?.writer, 2],
  ]);
  expect(await checked([one, two, three])).toMatchObject({ intact: true, writers: 3 });
});

it('stores a failed batch again, in order, and no record twice', async () => {
  const { audit } = platform.store;
  let failures = 1;
  const trail = trailOn({
    ...audit,
    async append(records) {
      await audit.append(records);
      failures -= 1;
      if (failures >= 0) throw new Error('the connection broke after the write');
    },
  });
  await trail.record(entry('ada'));
  expect(trail.head()).toBeUndefined();
  expect(lines.map(({ message }) => message)).toContainEqual(expect.stringContaining('Could not store'));
  await trail.record(entry('bob'));
  await trail.settled();
  expect(await checked([trail])).toMatchObject({ intact: true, records: 3 });
});

it('records a limited number of refusals without credentials, and counts the others', async () => {
  const clock = { nowMicros: () => 1_000_000 };
  const trail = createAuditTrail({ store: platform.store, clock, logger });
  const refused = entry('', { kind: 'refusal', authenticated_by: 'none', outcome: 'refused', status: 401 });
  await Promise.all(Array.from({ length: 605 }, () => trail.record(refused)));
  await trail.record(entry('ada'));
  await trail.settled();
  const records = await stored();
  expect(records.filter(({ kind }) => kind === 'refusal')).toHaveLength(600);
  expect(records.reduce((sum, { omitted = 0 }) => sum + omitted, 0)).toBe(5);
});

it('counts failed logins by user and address, with a limited number of labels', async () => {
  const counts: string[] = [];
  const metrics = { count: (name: string, labels?: object) => void counts.push(`${name} ${JSON.stringify(labels)}`) };
  const trail = trailOn(platform.store.audit, metrics);
  const failed = (user: string) => entry(user, { kind: 'login', outcome: 'refused', status: 401, address: '10.0.0.7' });
  await Promise.all(Array.from({ length: 101 }, (_, index) => trail.record(failed(`user${index}`))));
  await trail.record(entry('ada', { kind: 'login' }));
  await trail.settled();
  const byUser = counts.filter((count) => count.startsWith('login_failures_by_user'));
  expect(byUser).toHaveLength(101);
  expect(byUser.at(-2)).toBe('login_failures_by_user {"user":"user99"}');
  expect(byUser.at(-1)).toBe('login_failures_by_user {"user":"(other)"}');
  expect(counts).toContain('login_failures_by_address {"address":"10.0.0.7"}');
});
