import type { ExecutionRecord } from '@switchyard/model';
import { mongo } from 'mongoose';
import { anExecution, leakCheck } from '@switchyard/testkit/platform';
import { watchQueries } from '../src';
import { changedRecord } from '../src/changed-record';
import type { Collection } from '../src/collection';
import { storeCollections } from '../src/collections';
import { ensureIndexes } from '../src/ensure-indexes';
import { groupedWrites, type RecognizableChange, type SingleWrites } from '../src/grouped-writes';
import { recordedChange } from '../src/repositories/recorded-change';
import { openTestConnection } from './support/test-connection';

const later = leakCheck('all');
let executions: Collection<ExecutionRecord>;
let calls: string[];

beforeAll(async () => {
  const connection = await openTestConnection(later);
  watchQueries(connection, ({ operation }) => calls.push(operation));
  executions = storeCollections(connection).executions;
  calls = [];
  await ensureIndexes(executions.model as never);
});

type Statement = Record<'updateOne' | 'updateMany', { filter: { _id: unknown } } | undefined>;
type BulkWrite = (statements: readonly Statement[], options: object) => Promise<unknown>;
type Writes = Pick<SingleWrites<ExecutionRecord>, 'insert' | 'change'>;

/**
 * As on a server, with either driver.
 * @param around is called instead of the bulk write of the driver, which it may call
 * @param onRead is called with the ids of each read
 */
const grouped = (around?: (bulkWrite: BulkWrite) => BulkWrite, onRead?: (ids: readonly string[]) => void): Writes => {
  const { collection } = executions.model;
  const bulkWrite = collection.bulkWrite.bind(collection) as unknown as BulkWrite;
  const driver = {
    insertMany: collection.insertMany.bind(collection),
    bulkWrite: around?.(bulkWrite) ?? bulkWrite,
  };
  return groupedWrites<ExecutionRecord>(driver as unknown as typeof collection, {
    insert: async (record) => {
      await collection.insertOne(record as never);
      return record;
    },
    change: async ({ _id, filter, operators }) =>
      ((await collection.findOneAndUpdate({ _id, ...filter } as never, operators, { returnDocument: 'after' })) ??
        undefined) as ExecutionRecord | undefined,
    read: (ids) => {
      onRead?.(ids);
      return executions.list({ filter: { _id: { $in: [...ids] } } });
    },
  });
};

let time = 0;

const claiming = (_id: string, instance: string, timestamp = ++time): RecognizableChange<ExecutionRecord> => {
  const claim = { number: 1, instance, host: 'h', pid: 1 };
  const set = { status: 'running', claim } as const;
  const log = { status: 'running', timestamp } as const;
  return {
    _id,
    filter: { status: 'scheduled', revision: 1 },
    operators: { $set: set, $push: { log }, $inc: { revision: 1 } },
    recognize: recordedChange({ revision: 1 }, { set, push: { log }, inc: { revision: 1 } })!,
  };
};

/** The end of an execution, by its runner. */
const ending = (record: ExecutionRecord, value: number): RecognizableChange<ExecutionRecord> => {
  const set = { status: 'succeeded', result: String(value), 'context.ended': true } as const;
  const log = { status: 'succeeded', timestamp: ++time } as const;
  const change = { set, unset: ['claim'] as const, push: { log }, inc: { revision: 1 } };
  return {
    _id: record._id,
    filter: { status: { $in: ['running', 'pausing'] } },
    operators: { $set: set, $unset: { claim: '' }, $push: { log }, $inc: { revision: 1 } },
    recognize: recordedChange({}, change)!,
    known: { filter: { revision: record.revision }, after: () => changedRecord(record, change) },
  };
};

const insertRunning = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      executions.insert(anExecution({ status: 'running', claim: { number: 1, instance: 'me', host: 'h', pid: 1 } })),
    ),
  );

const scheduled = () => anExecution({ status: 'scheduled' });
const claimants = (records: readonly (ExecutionRecord | undefined)[]) => records.map((each) => each?.claim?.instance);

beforeEach(() => {
  calls = [];
});

describe('inserts in a group', () => {
  it('are one call', async () => {
    const writes = grouped();
    const records = Array.from({ length: 20 }, () => anExecution());
    expect(await Promise.all(records.map(writes.insert))).toEqual(records);
    expect(calls).toEqual(['insertMany']);
    for (const record of records) expect(await executions.get(record._id)).toEqual(record);
  });

  it('reject only the duplicate, with the error of a single insert', async () => {
    const writes = grouped();
    const stored = await writes.insert(anExecution({ request_key: 'taken' }));
    const records = [
      anExecution(),
      anExecution({ request_key: 'taken' }),
      anExecution({ _id: stored._id }),
      anExecution(),
    ];
    const outcomes = await Promise.allSettled(records.map(writes.insert));
    expect(outcomes).toMatchObject([
      { value: records[0] },
      { reason: { code: 11000, keyValue: { request_key: 'taken' } } },
      { reason: { code: 11000, keyValue: { _id: stored._id } } },
      { value: records[3] },
    ]);
  });

  it('reject only the record that no store can hold', async () => {
    const writes = grouped();
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 250; level++) deep = { deep };
    const records = [anExecution(), anExecution({ context: deep }), anExecution()];
    const outcomes = await Promise.allSettled(records.map(writes.insert));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('changes in a group', () => {
  it('are one call and one read', async () => {
    const writes = grouped();
    const records = await Promise.all(Array.from({ length: 20 }, () => executions.insert(scheduled())));
    calls = [];
    const changed = await Promise.all(records.map(({ _id }) => writes.change(claiming(_id, 'mine'))));
    expect(calls).toEqual(['bulkWrite', 'find']);
    expect(changed.map((each) => each?._id)).toEqual(records.map(({ _id }) => _id));
    for (const each of changed) expect(await executions.get(each!._id)).toEqual(each);
  });

  it('share a statement if they differ only in their records', async () => {
    const statements: Statement[] = [];
    const writes = grouped((bulkWrite) => (several, options) => {
      statements.push(...several);
      return bulkWrite(several, options);
    });
    const records = await Promise.all(Array.from({ length: 5 }, () => executions.insert(scheduled())));
    const ids = records.map(({ _id }) => _id);
    const at = ++time;
    const changes = ids.map((id, index) => claiming(id, index === 4 ? 'other' : 'mine', at));
    const changed = await Promise.all(changes.map(writes.change));
    expect(claimants(changed)).toEqual(['mine', 'mine', 'mine', 'mine', 'other']);
    expect(statements.map(({ updateOne, updateMany }) => (updateMany ?? updateOne)?.filter._id)).toEqual([
      { $in: ids.slice(0, 4) },
      ids[4],
    ]);
  });

  it('do not share a statement if their values only look alike as text', async () => {
    const writes = grouped();
    const records = await Promise.all([NaN, null].map(() => executions.insert(scheduled())));
    const at = ++time;
    const changes = records.map(({ _id }, index) => {
      const change = claiming(_id, 'mine', at);
      const set = { ...(change.operators['$set'] as object), result: { value: index === 0 ? NaN : null } };
      return { ...change, operators: { ...change.operators, $set: set } };
    });
    const changed = await Promise.all(changes.map(writes.change));
    expect(changed.map((each) => each?.result)).toEqual([{ value: NaN }, { value: null }]);
  });

  it('share a statement among several contents of the same time', async () => {
    const statements: Statement[] = [];
    const writes = grouped((bulkWrite) => (several, options) => {
      statements.push(...several);
      return bulkWrite(several, options);
    });
    const records = await Promise.all(Array.from({ length: 12 }, () => executions.insert(scheduled())));
    const at = ++time;
    const changes = records.map(({ _id }, index) => claiming(_id, index < 6 ? 'ab'[index % 2]! : String(index), at));
    const changed = await Promise.all(changes.map(writes.change));
    expect(claimants(changed)).toEqual(['a', 'b', 'a', 'b', 'a', 'b', '6', '7', '8', '9', '10', '11']);
    expect(statements.filter(({ updateMany }) => updateMany)).toHaveLength(2);
    expect(statements).toHaveLength(8);
  });

  it('are separate calls if there are two and they are different', async () => {
    const writes = grouped();
    const records = await Promise.all([1, 2].map(() => executions.insert(scheduled())));
    calls = [];
    const at = ++time;
    await Promise.all(records.map(({ _id }, index) => writes.change(claiming(_id, String(index), at))));
    expect(calls).toEqual(['findOneAndUpdate', 'findOneAndUpdate']);
  });

  it.each(['before', 'after'])('are completed if the connection is lost %s the server has made them', async (when) => {
    const writes = grouped((bulkWrite) => async (several, options) => {
      if (when === 'after') await bulkWrite(several, options);
      throw new mongo.MongoNetworkError('connection closed');
    });
    const records = await Promise.all(Array.from({ length: 5 }, () => executions.insert(scheduled())));
    const at = ++time;
    const changed = await Promise.all(records.map(({ _id }) => writes.change(claiming(_id, 'mine', at))));
    expect(changed.map((each) => [each?.status, each?.revision, each?.log.length])).toEqual(
      records.map(({ log }) => ['running', 2, log.length + 1]),
    );
    for (const each of changed) expect(await executions.get(each!._id)).toEqual(each);
  });

  it('that are different are left to the driver if the connection is lost', async () => {
    const lost = new mongo.MongoNetworkError('connection closed');
    const writes = grouped(() => () => Promise.reject(lost));
    const records = await Promise.all([1, 2, 3].map(() => executions.insert(scheduled())));
    const outcomes = await Promise.allSettled(records.map(({ _id }) => writes.change(claiming(_id, 'mine'))));
    expect(outcomes).toEqual(records.map(() => ({ status: 'rejected', reason: lost })));
  });

  it('happen once for each record, even if others claim it at the same microsecond', async () => {
    const processes = ['one', 'two', 'three'].map((name) => ({ name, writes: grouped() }));
    const records = await Promise.all(Array.from({ length: 30 }, () => executions.insert(scheduled())));
    const at = ++time;
    const claims = await Promise.all(
      processes.map(({ name, writes }) =>
        Promise.all(records.map(({ _id }) => writes.change(claiming(_id, name, at)))),
      ),
    );
    for (const [index, { _id }] of records.entries()) {
      const won = claimants(claims.map((each) => each[index])).filter((each) => each !== undefined);
      expect(won).toEqual([(await executions.get(_id))?.claim?.instance]);
    }
  });

  it('that came too late do not happen', async () => {
    const writes = grouped();
    const records = await Promise.all(
      [{}, { status: 'canceled' as const }, { revision: 2 }, {}].map((given) =>
        executions.insert(anExecution({ status: 'scheduled', ...given })),
      ),
    );
    const ids = [...records.map(({ _id }) => _id), 'missing'];
    const changed = await Promise.all(ids.map((id) => writes.change(claiming(id, 'mine'))));
    expect(claimants(changed)).toEqual(['mine', undefined, undefined, 'mine', undefined]);
  });

  it('reject only the change that the store refuses', async () => {
    const writes = grouped();
    const records = await Promise.all(Array.from({ length: 4 }, () => executions.insert(scheduled())));
    const changes = records.map(({ _id }, index) => {
      const change = claiming(_id, 'mine');
      return index === 1 ? { ...change, operators: { ...change.operators, $inc: { status: 1 } } } : change;
    });
    const outcomes = await Promise.allSettled(changes.map(writes.change));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });
});

describe('changes of known records in a group', () => {
  it.each([2, 20])('are one call for %i records, without a read', async (count) => {
    const writes = grouped();
    const records = await insertRunning(count);
    calls = [];
    const ended = await Promise.all(records.map((record, index) => writes.change(ending(record, index))));
    expect(calls).toEqual(['bulkWrite']);
    for (const each of ended) expect(await executions.get(each!._id)).toEqual(each);
    expect(ended.map((each) => each?.result)).toEqual(records.map((_, index) => String(index)));
  });

  it('happen to records that have changed since, unless these do not match any more', async () => {
    const writes = grouped();
    const records = await insertRunning(5);
    await executions.change({ _id: records[1]!._id }, { set: { status: 'pausing' }, inc: { revision: 1 } });
    await executions.change({ _id: records[2]!._id }, { set: { status: 'canceling' }, inc: { revision: 1 } });
    await executions.remove(records[3]!._id);
    const ended = await Promise.all(records.map((record, index) => writes.change(ending(record, index))));
    expect(ended.map((each) => each?.revision)).toEqual([2, 3, undefined, undefined, 2]);
    for (const each of ended.filter(Boolean)) expect(await executions.get(each!._id)).toEqual(each);
    expect(await executions.get(records[2]!._id)).toMatchObject({ status: 'canceling', revision: 2 });
  });

  it('are not repeated if they require unchanged records', async () => {
    const writes = grouped();
    const records = await insertRunning(3);
    await executions.change({ _id: records[1]!._id }, { set: { status: 'pausing' }, inc: { revision: 1 } });
    calls = [];
    const changes = records.map((record, index) => {
      const { known, filter, ...change } = ending(record, index);
      return { ...change, filter: { ...filter, revision: record.revision }, known: { ...known!, filter: {} } };
    });
    const ended = await Promise.all(changes.map(writes.change));
    expect(ended.map((each) => each?.revision)).toEqual([2, undefined, 2]);
    expect(calls).toEqual(['bulkWrite', 'find']);
  });

  it('are made together with others, and only those are read', async () => {
    const read: number[] = [];
    const writes = grouped(undefined, (ids) => read.push(ids.length));
    const records = await insertRunning(3);
    const waiting = await Promise.all([1, 2].map(() => executions.insert(scheduled())));
    calls = [];
    const changed = await Promise.all([
      ...records.map((record, index) => writes.change(ending(record, index))),
      ...waiting.map(({ _id }) => writes.change(claiming(_id, 'mine'))),
    ]);
    expect(calls).toEqual(['bulkWrite', 'find']);
    expect(read).toEqual([2]);
    for (const each of changed) expect(await executions.get(each!._id)).toEqual(each);
  });

  it.each(['before', 'after'])('happen once if the connection is lost %s the server has made them', async (when) => {
    const writes = grouped((bulkWrite) => async (several, options) => {
      if (when === 'after') await bulkWrite(several, options);
      throw new mongo.MongoNetworkError('connection closed');
    });
    const records = await insertRunning(4);
    const at = ++time;
    const changes = records.map((record) => {
      const change = ending(record, 1);
      const log = { status: 'succeeded', timestamp: at } as const;
      const recognize = recordedChange({}, { push: { log } })!;
      return { ...change, recognize, operators: { ...change.operators, $push: { log } } };
    });
    const ended = await Promise.all(changes.map(writes.change));
    expect(ended.map((each) => each?.revision)).toEqual([2, 2, 2, 2]);
    for (const each of ended) expect(await executions.get(each!._id)).toEqual(each);
  });
});
