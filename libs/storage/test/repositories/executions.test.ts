import { DUE_CONSUMERS, type DueConsumer, type ExecutionRecord } from '@switchyard/model';
import { anExecution, leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { changedRecord, type RecordChange, type ExecutionRepository } from '../../src';

let platform: TestPlatform;
let executions: ExecutionRepository;
const later = leakCheck();
beforeEach(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  executions = platform.store.executions;
});

const put = async (given: Partial<ExecutionRecord> = {}) => (await executions.insert(anExecution(given))).record;
const ids = (records: readonly { _id: string }[]) => records.map(({ _id }) => _id);

describe('inserting', () => {
  it('returns the inserted record', async () => {
    const record = anExecution({ parameters: { 'a.b': { $c: [1, null, { d: true }] } }, context: { user: 'žofie' } });
    await executions.insert(record);
    expect(await executions.get(record._id)).toEqual(record);
    expect(await executions.getByLiveaction(record.liveaction_id)).toEqual(record);
  });

  it('returns the first record for a request key, even concurrently', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => executions.insert(anExecution({ request_key: 'k' }))),
    );
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(all.map(({ record }) => record._id)).size).toBe(1);
  });

  it('rejects an existing id', async () => {
    const record = await put();
    await expect(executions.insert(anExecution({ _id: record._id }))).rejects.toMatchObject({
      code: 'storage.duplicate',
    });
  });
});

describe('bulk changes', () => {
  const change: RecordChange<ExecutionRecord> = {
    set: { status: 'canceled', 'context.cancelled_by': 'bob', 'callback.part': 1 },
    unset: ['due', 'callback.old', 'slot'],
    push: { log: { status: 'canceled', timestamp: 9 } },
    inc: { revision: 1, delay: 2 },
  };
  const { push: _, ...others } = change;
  const severalEntries: RecordChange<ExecutionRecord> = {
    ...others,
    pushAll: {
      log: [
        { status: 'canceling', timestamp: 8 },
        { status: 'canceled', timestamp: 9 },
      ],
    },
  };

  it('apply where the expectation holds', async () => {
    const records = await Promise.all([{}, {}, { revision: 2 }, { status: 'running' as const }].map(put));
    const expected = { status: ['requested' as const], revision: 1 };
    const others = { ids: [(await put({ revision: 5 }))._id], expected: { revision: 5 }, change };
    expect(await executions.changeEach([{ ids: ids(records), expected, change }, others])).toBe(3);
    expect((await executions.list({ filter: { status: 'canceled' } })).map(({ _id }) => _id).sort()).toEqual(
      [records[0]!._id, records[1]!._id, others.ids[0]].sort(),
    );
    expect(await executions.changeEach([])).toBe(0);
  });

  it.each([
    ['one element', change],
    ['several elements', severalEntries],
  ])('with %s for a list produce the record that changedRecord predicts', async (_, change) => {
    const record = await put({ due: ['scheduler'], callback: { old: 1, kept: 2 } });
    const before = structuredClone(record);
    const told = changedRecord(record, change);
    await executions.changeEach([{ ids: [record._id], expected: {}, change }]);
    expect(told).toEqual(await executions.get(record._id));
    expect(record).toEqual(before);
  });
});

describe('a change', () => {
  const claim = { number: 3, instance: 'i', host: 'h', pid: 1 };

  it.each<[string, Parameters<ExecutionRepository['change']>[1], boolean]>([
    ['nothing', {}, true],
    ['its status', { status: ['running'] }, true],
    ['one of several statuses', { status: ['scheduled', 'running'] }, true],
    ['another status', { status: ['scheduled'] }, false],
    ['no status at all', { status: [] }, false],
    ['its revision', { revision: 1 }, true],
    ['another revision', { revision: 2 }, false],
    ['its claim', { claim }, true],
    ['an older claim', { claim: { ...claim, number: 2 } }, false],
    ["another's claim", { claim: { ...claim, instance: 'j' } }, false],
  ])('that expects %s is applied: %p', async (_, expected, happens) => {
    const record = await put({ status: 'running', claim });
    const changed = await executions.change(record._id, expected, { set: { priority: 5 }, inc: { revision: 1 } });
    expect(changed).toEqual(happens ? { ...record, priority: 5, revision: 2 } : undefined);
    expect(await executions.get(record._id)).toEqual(changed ?? record);
  });

  it('by many writers at once is counted for each', async () => {
    const record = await put();
    await Promise.all(Array.from({ length: 30 }, () => executions.change(record._id, {}, { inc: { revision: 1 } })));
    expect((await executions.get(record._id))?.revision).toBe(31);
  });

  it('sets nested fields and removes fields', async () => {
    const record = await put({ delay: 1 });
    const changed = await executions.change(record._id, {}, { set: { 'context.more': 1 }, unset: ['delay', 'slot'] });
    expect(changed?.context).toEqual({ ...record.context, more: 1 });
    expect(changed).not.toHaveProperty('delay');
  });
});

describe('the queues of the backlog', () => {
  const of = { pool: 'default', priority: 0 };
  const due = { due: ['scheduler' as const], due_at: 1 };

  it('are found one by one, each with the time of its head', async () => {
    await put({ ...due, share: 'ada b 1', schedule_at: 300 });
    await put({ ...due, share: 'ada b 1', schedule_at: 200 });
    await put({ ...due, share: 'ada b 2', schedule_at: 100 });
    await put({ ...due, share: 'bob a', schedule_at: 50 });
    await put({ ...due, share: 'bob a', schedule_at: 40, priority: 1 });
    await put({ ...due, share: 'eve a', schedule_at: 10, pool: 'gpu' });
    await put({ share: 'ada a', schedule_at: 10 });
    expect(await executions.nextShare(of, { after: '' })).toMatchObject({ share: 'ada b 1', schedule_at: 200 });
    expect(await executions.nextShare(of, { after: 'ada b 1' })).toMatchObject({ share: 'ada b 2' });
    expect(await executions.nextShare(of, { after: 'ada b 2', before: 'ada c' })).toBeUndefined();
    expect(await executions.nextShare(of, { after: 'ada c' })).toMatchObject({ share: 'bob a', schedule_at: 50 });
    expect(await executions.nextShare(of, { after: 'bob a' })).toBeUndefined();
  });

  it('return their executions by time, and those without a queue', async () => {
    const late = await put({ ...due, share: 'ada a', schedule_at: 300 });
    const early = await put({ ...due, share: 'ada a', schedule_at: 100 });
    const old = await put({ ...due, schedule_at: 50 });
    await put({ ...due, share: 'bob a', schedule_at: 50 });
    expect(ids(await executions.backlogOf({ ...of, share: 'ada a' }, 1000, 5))).toEqual(ids([early, late]));
    expect(ids(await executions.backlogOf({ ...of, share: 'ada a' }, 200, 5))).toEqual(ids([early]));
    expect(ids(await executions.backlogOf({ ...of, share: undefined }, 1000, 5))).toEqual(ids([old]));
  });
});

describe('the backlog', () => {
  it('is ordered by priority, then time, and respects pools and delays', async () => {
    const due = { due: ['scheduler' as const], due_at: 1 };
    const late = await put({ ...due, schedule_at: 300 });
    const early = await put({ ...due, schedule_at: 100 });
    const urgent = await put({ ...due, schedule_at: 400, priority: 9 });
    const future = await put({ ...due, schedule_at: 900, delay: 1, priority: 9 });
    const further = await put({ ...due, schedule_at: 1200, delay: 1 });
    await put({ ...due, schedule_at: 100, pool: 'gpu' });
    await put({ schedule_at: 100 });
    expect(ids(await executions.backlog('default', 500, 10))).toEqual(ids([urgent, early, late]));
    expect(ids(await executions.backlog('default', 500, 1))).toEqual([urgent._id]);
    expect(ids(await executions.backlog('default', 1000, 10))).toEqual(ids([urgent, future, early, late]));
    expect(await executions.nextDue('default', 500)).toBe(900);
    expect(await executions.nextDue('default', 900)).toBe(further.schedule_at);
    expect(await executions.nextDue('default', 1200)).toBeUndefined();
  });
});

describe('the due consumers', () => {
  it.each<[DueConsumer[], DueConsumer, DueConsumer[] | undefined]>([
    [['notifier'], 'notifier', undefined],
    [['workflow-engine', 'notifier'], 'notifier', ['workflow-engine']],
    [['workflow-engine'], 'notifier', ['workflow-engine']],
  ])('%p, once %s is settled, become %p', async (due, consumer, left) => {
    const record = await put({ due, due_at: 5 });
    await executions.settle([record._id], consumer);
    const after = await executions.get(record._id);
    expect(after?.due).toEqual(left);
    expect(after?.due_at).toBe(left && 5);
  });

  it('are settled for several records at a time, unless they have changed since', async () => {
    const due = ['workflow-engine'] as const;
    const alike = await Promise.all([1, 2].map(() => put({ due: [...due], due_at: 5, revision: 3 })));
    const told = await put({ due: ['workflow-engine', 'notifier'], due_at: 5, revision: 3 });
    const changed = await put({ due: [...due], due_at: 5, revision: 4 });
    const settled = await put({ due: ['notifier'], due_at: 5, revision: 3 });
    const records = [...alike, told, { ...changed, revision: 3 }, settled];
    await executions.settleEachAt(records, 'workflow-engine');
    const left = await Promise.all(records.map(async ({ _id }) => executions.get(_id)));
    expect(left.map((record) => [record?.due, record?.due_at])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [['notifier'], 5],
      [['workflow-engine'], 5],
      [['notifier'], 5],
    ]);
  });

  it('overdue for long are found, oldest first, until postponed', async () => {
    const newer = await put({ due: ['notifier'], due_at: 200 });
    const older = await put({ due: ['notifier', 'workflow-engine'], due_at: 100 });
    await put({ due: ['notifier'], due_at: 900 });
    await put({ due: ['scheduler'], due_at: 100 });
    expect(ids(await executions.overdue('notifier', 500, 10))).toEqual(ids([older, newer]));
    expect(ids(await executions.overdue('notifier', 500, 1))).toEqual([older._id]);
    await executions.postpone([older._id], 600);
    expect(ids(await executions.overdue('notifier', 500, 10))).toEqual([newer._id]);
    expect(DUE_CONSUMERS).toContain('workflow-engine');
  });

  it('are not restored by a late postponement', async () => {
    const record = await put();
    await executions.postpone([record._id], 600);
    expect(await executions.get(record._id)).toEqual(record);
  });
});

describe('claims of runners', () => {
  const claim = (instance: string) => ({ slot: 'default', claim: { number: 1, instance, host: 'h', pid: 1 } });
  const mark = { host: 'h', pid: 7, start_time: '5', boot_id: 'b' };

  it('are found by instance and by host', async () => {
    const one = await put(claim('i1'));
    const two = await put({ ...claim('i2'), process: mark });
    await put({ ...claim('i2'), process: { ...mark, host: 'other' } });
    await put();
    expect((await executions.claimants()).sort()).toEqual(['i1', 'i2']);
    expect(ids(await executions.claimedBy('i1'))).toEqual([one._id]);
    expect(ids(await executions.processesOn('h'))).toEqual([two._id]);
  });

  it('are removed process by process', async () => {
    const record = await put({ process: mark });
    await executions.removeProcess(record._id, { ...mark, start_time: '6' });
    expect((await executions.get(record._id))?.process).toEqual(mark);
    await executions.removeProcess(record._id, mark);
    expect((await executions.get(record._id))?.process).toBeUndefined();
  });

  it('are counted by pool', async () => {
    await Promise.all([put({ slot: 'default' }), put({ slot: 'default' }), put({ slot: 'gpu' }), put()]);
    expect(await executions.countActive('default')).toBe(2);
    expect(await executions.countActive('none')).toBe(0);
  });
});

it('child executions are ordered by request', async () => {
  const second = await put({ parent: 'p', start_timestamp: 200 });
  const first = await put({ parent: 'p', start_timestamp: 100 });
  await put({ parent: 'q' });
  expect(ids(await executions.childrenOf('p'))).toEqual(ids([first, second]));
});

it('lists filter, sort, page and project', async () => {
  for (let i = 0; i < 5; i++) await put({ start_timestamp: 1000 + i, action_ref: i === 4 ? 'x.y' : 'tests.action' });
  const page = {
    filter: { action_ref: 'tests.action' },
    sort: { start_timestamp: -1 as const },
    offset: 1,
    limit: 2,
    fields: ['start_timestamp'] as const,
  };
  const found = await executions.list(page);
  expect(found.map((record) => ({ ...record, _id: undefined }))).toEqual([
    { start_timestamp: 1002 },
    { start_timestamp: 1001 },
  ]);
  expect(await executions.count(page.filter)).toBe(4);
  expect((await executions.distinct('action_ref')).sort()).toEqual(['tests.action', 'x.y']);
});
