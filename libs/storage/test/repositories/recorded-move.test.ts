import type { ExecutionRecord } from '@switchyard/model';
import { anExecution } from '@switchyard/testkit/platform';
import { recordedMove } from '../../src/repositories/recorded-move';

const claim = { number: 1, instance: 'mine', host: 'h', pid: 1 };
const entry = { status: 'running', timestamp: 7 } as const;
const set = { status: 'running', claim, 'context.more': 1 } as const;
const change = { set, push: { log: entry }, inc: { revision: 1 } };
const recognize = recordedMove({ revision: 1 }, change)!;

const running = (given: Partial<ExecutionRecord> = {}) => {
  const before = anExecution({ status: 'running', revision: 2, claim });
  return { ...before, log: [...before.log, entry], ...given };
};

describe('a move that is read afterwards', () => {
  it('is recognized by its log entry', () => {
    const record = running();
    expect(recognize(record)).toBe(record);
    expect(recognize({ ...record, log: record.log.slice(0, 1) })).toBeUndefined();
    expect(recognize({ ...record, log: [...record.log.slice(0, 1), { ...entry, timestamp: 8 }] })).toBeUndefined();
  });

  it('is shown as it was when the record has moved on', () => {
    const record = running();
    const canceling = { status: 'canceling', timestamp: 9 } as const;
    const now = { ...record, status: 'canceling' as const, revision: 3, log: [...record.log, canceling] };
    expect(recognize(now)).toEqual(record);
    expect(recordedMove({}, change)?.(now)).toEqual(record);
  });

  it('is not recognized when the claim belongs to another runner, or is gone', () => {
    expect(recognize(running({ claim: { ...claim, instance: 'other' } }))).toBeUndefined();
    const { claim: _, ...left } = running();
    expect(recognize(left)).toBeUndefined();
  });

  it('is a change with a log entry', () => {
    expect(recordedMove({}, { set: { priority: 1 } })).toBeUndefined();
  });
});
