import { executionQuery, type ExecutionFilters } from '../../src/executions/list-query';

const T1 = '2024-01-01T00:00:00Z';
const T2 = '2024-01-02T00:00:00Z';
const [M1, M2] = [T1, T2].map((text) => Date.parse(text) * 1000) as [number, number];
const query = (asked: Partial<ExecutionFilters>) => executionQuery(asked);

describe('The query of a list of executions', () => {
  it.each<[Partial<ExecutionFilters>, object]>([
    [{}, {}],
    [
      { action: 'core.local', user: 'ada' },
      { action_ref: 'core.local', 'context.user': 'ada' },
    ],
    [
      { runner: 'noop', liveaction: 'x' },
      { runner_name: 'noop', liveaction_id: 'x' },
    ],
    [{ status: 'running,paused' }, { status: { $in: ['running', 'paused'] } }],
    [{ parent: 'null' }, { parent: null }],
    [{ trigger_instance: 'x' }, { 'trigger_instance.id': 'x' }],
    [{ rule: 'r' }, { $and: [{ 'rule.name': 'r' }] }],
    [{ rule: 'p.r' }, { $and: [{ $or: [{ 'rule.name': 'p.r' }, { 'rule.ref': 'p.r' }] }] }],
    [
      { trigger_type: 'st2.webhook' },
      {
        $and: [
          {
            $or: ['trigger_type.name', 'trigger_type.ref'].map((field) => ({
              [field]: { $in: ['st2.webhook', 'svc.webhook'] },
            })),
          },
        ],
      },
    ],
    [{ timestamp: T1 }, { start_timestamp: { $eq: M1 } }],
    [{ timestamp: `${T2}..${T1}` }, { start_timestamp: { $gte: M1, $lte: M2 } }],
    [{ timestamp_gt: T1, timestamp_lt: T2 }, { start_timestamp: { $gt: M1, $lt: M2 } }],
    [
      { status: 'failed', filter: 'status:running action.ref:a.b' },
      { status: 'running', action_ref: 'a.b' },
    ],
  ])('%j', (asked, filter) => {
    expect(query(asked).filter).toEqual(filter);
  });

  it.each<[Partial<ExecutionFilters>, object]>([
    [{}, { start_timestamp: -1 }],
    [{ sort_asc: 'true' }, { start_timestamp: 1 }],
    [{ sort_desc: 'x', sort_asc: 'x' }, { start_timestamp: -1 }],
    [{ timestamp_gt: T1 }, { start_timestamp: 1 }],
    [{ timestamp_lt: T1 }, { start_timestamp: -1 }],
    [{ timestamp: `${T1}..${T2}` }, { start_timestamp: 1 }],
    [{ timestamp: `${T2}..${T1}` }, { start_timestamp: -1 }],
    [{ sort: '-status,timestamp' }, { status: -1, start_timestamp: 1 }],
    [{ sort: 'colour' }, { start_timestamp: -1 }],
  ])('%j is sorted by %j', (asked, sort) => {
    expect(query(asked).sort).toEqual(sort);
  });

  it.each<[Partial<ExecutionFilters>, string]>([
    [{ id: ['zzz'] }, "'zzz' is not a valid ObjectId"],
    [{ timestamp: '5' }, 'Datetime value does not match expected format.'],
    [{ timestamp_gt: 'now' }, 'Datetime value does not match expected format.'],
  ])('%j is refused', (asked, message) => {
    expect(() => query(asked)).toThrow(message);
  });
});
