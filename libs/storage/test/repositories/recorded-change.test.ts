import type { ExecutionRecord } from '@switchyard/model';
import { anExecution } from '@switchyard/testkit/platform';
import { recordedChange } from '../../src/repositories/recorded-change';

const claim = { number: 1, instance: 'mine', host: 'h', pid: 1 };
const entry = { status: 'running', timestamp: 7 } as const;
const set = { status: 'running', claim, 'context.more': 1 } as const;
const change = { set, push: { log: entry }, inc: { revision: 1 } };
const recognize = recordedChange({ revision: 1 }, change)!;

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
    expect(recordedChange({}, change)?.(now)).toEqual(record);
  });

  it('is not recognized when the claim belongs to another runner, or is gone', () => {
    expect(recognize(running({ claim: { ...claim, instance: 'other' } }))).toBeUndefined();
    const { claim: _, ...left } = running();
    expect(recognize(left)).toBeUndefined();
  });

  it('may enter two statuses at once', () => {
    const both = {
      set,
      pushAll: { log: [{ status: 'scheduled', timestamp: 6 } as const, entry] },
      inc: { revision: 2 },
    };
    const record = running({ revision: 3 });
    expect(recordedChange({ revision: 1 }, both)?.(record)).toBe(record);
    const now = { ...record, revision: 4, log: [...record.log, { status: 'canceling', timestamp: 9 } as const] };
    expect(recordedChange({ revision: 1 }, both)?.(now)).toEqual(record);
  });
});

describe('the mark of a process that is read afterwards', () => {
  const process = { host: 'h', pid: 5, start_time: '6', boot_id: 'b' };
  const find = recordedChange({ claim }, { set: { process } })!;

  it('is recognized while the claim holds', () => {
    const record = running({ process });
    expect(find(record)).toBe(record);
    expect(find(running())).toBeUndefined();
    expect(find(running({ process: { ...process, pid: 7 } }))).toBeUndefined();
    expect(find(running({ process, claim: { ...claim, number: 2 } }))).toBeUndefined();
  });
});

it('other changes cannot be recognized', () => {
  expect(recordedChange({}, { set: { priority: 1 } })).toBeUndefined();
  expect(recordedChange({ claim }, { set: { has_children: true } })).toBeUndefined();
});
