import type { ExecutionRecord } from '@switchyard/model';
import { above, anyFilter, isThere, isOneOf, where, type RecordChange, type Filter, type Sort } from '../src';

/** Code that does not fit a record does not compile: `npm run types` fails where an expected error is missing. */
type Executions = Filter<ExecutionRecord>;
type ExecutionChange = RecordChange<ExecutionRecord>;

describe('a filter', () => {
  it('names fields, also nested ones', () => {
    const filter: Executions = {
      status: isOneOf(['running', 'paused'] as const),
      due: 'scheduler',
      'claim.instance': 'a',
      'context.user': 'ada',
      'log.status': 'running',
      start_timestamp: above(5),
      slot: isThere,
      parent: null,
    };
    expect(filter).toMatchObject({ status: { $in: ['running', 'paused'] }, start_timestamp: { $gt: 5 } });
  });

  it('rejects unknown fields', () => {
    // @ts-expect-error: it is `status`
    const misspelt: Executions = { state: 'running' };
    // @ts-expect-error: a claim has an instance
    const below: Executions = { 'claim.runner': 'a' };
    expect([misspelt, below]).toHaveLength(2);
  });

  it("has values of the field's type", () => {
    // @ts-expect-error: there is no such status
    const status: Executions = { status: 'finished' };
    // @ts-expect-error: times are numbers
    const time: Executions = { start_timestamp: above('today') };
    // @ts-expect-error: there is no such consumer
    const due: Executions = { due: 'stream' };
    expect([status, time, due]).toHaveLength(3);
  });

  it('can have alternatives', () => {
    expect(anyFilter<ExecutionRecord>([{ parent: 'a' }, { root: 'a' }])).toEqual({
      $or: [{ parent: 'a' }, { root: 'a' }],
    });
    // @ts-expect-error: it is `root`
    expect(anyFilter<ExecutionRecord>([{ parent: 'a' }, { top: 'a' }])).toBeDefined();
  });

  it('for records of any kind is not checked', () => {
    expect(where<ExecutionRecord>('ref', 'a')).toEqual({ ref: 'a' });
  });
});

it('a sort order names fields', () => {
  const order: Sort<ExecutionRecord> = { priority: -1, 'context.user': 1 };
  // @ts-expect-error: it is `start_timestamp`
  const misspelt: Sort<ExecutionRecord> = { started: 1 };
  expect([order, misspelt]).toHaveLength(2);
});

it('a change names fields and has values of their types', () => {
  const change: ExecutionChange = {
    set: { status: 'running', 'context.cancelled_by': 'ada', due: ['scheduler'] },
    unset: ['slot', 'claim'],
    push: { log: { status: 'running', timestamp: 1 } },
    pull: { due: 'notifier' },
    inc: { revision: 1 },
  };
  // @ts-expect-error: there is no such status
  const status: ExecutionChange = { set: { status: 'finished' } };
  // @ts-expect-error: it is `slot`
  const unset: ExecutionChange = { unset: ['slots'] };
  // @ts-expect-error: an entry has a time
  const push: ExecutionChange = { push: { log: { status: 'running' } } };
  // @ts-expect-error: texts cannot grow
  const inc: ExecutionChange = { inc: { status: 1 } };
  expect([change, status, unset, push, inc]).toHaveLength(5);
});
