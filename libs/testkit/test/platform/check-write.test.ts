import { newId } from '@switchyard/base';
import type { AnyChange } from '@switchyard/storage';
import { anExecution, openTestPlatform, writeChecks } from '../../src/platform';

const { record, change } = writeChecks();
const aToken = (expiry: unknown) => ({
  ...{ _id: newId(), user: 'ada', token_hash: 'x', expiry },
  ...{ metadata: {}, service: false },
});

describe('a record', () => {
  it.each([
    ['all required fields', 'executions', anExecution()],
    ['a date', 'tokens', aToken(new Date())],
    ['any members where the schema leaves them open', 'executions', anExecution({ context: { a: { b: null } } })],
  ])('matches with %s', (_what, collection, written) => {
    expect(() => record(collection, written)).not.toThrow();
  });

  it.each([
    ['a missing field', 'policies', { _id: newId() }, 'is a required property'],
    ['a wrong type', 'executions', { ...anExecution(), priority: '1' }, 'priority'],
    ['an unknown field', 'executions', { ...anExecution(), colour: 'red' }, 'colour'],
    [
      'an undefined field, which the store treats as null',
      'executions',
      { ...anExecution(), delay: undefined },
      'delay: undefined',
    ],
    [
      'an unknown field in an object',
      'executions',
      anExecution({ claim: { number: 1, instance: 'a', host: 'b', pid: 2, port: 3 } as never }),
      'port',
    ],
    ['a text for a date', 'tokens', aToken(new Date().toISOString()), 'expiry: not a date'],
    ['an unknown collection', 'nothing', {}, 'no schema for the records of nothing'],
  ])('does not match with %s', (_what, collection, written, problem) => {
    expect(() => record(collection, written)).toThrow(problem);
  });
});

describe('a change', () => {
  it.each<[string, string, AnyChange]>([
    ['sets a field', 'executions', { set: { status: 'running' } }],
    ['sets a date', 'tokens', { set: { expiry: new Date() } }],
    ['sets a field of an object', 'executions', { set: { 'claim.number': 2 } }],
    ['sets a member that the schema leaves open', 'executions', { set: { 'context.parent.pack': 7 } }],
    ['sets an element', 'limits', { set: { 'starts.0.at': 7 } }],
    ['removes an optional field', 'executions', { unset: ['claim', 'context.trace'] }],
    ['adds to a list', 'executions', { push: { log: { status: 'running', timestamp: 1 } } }],
    ['adds several elements to a list', 'executions', { pushAll: { log: [{ status: 'running', timestamp: 1 }] } }],
    ['removes from a list', 'executions', { pull: { due: 'scheduler' } }],
    ['counts', 'executions', { inc: { revision: 1 } }],
  ])('matches if it %s', (_what, collection, written) => {
    expect(() => change(collection, written)).not.toThrow();
  });

  it.each<[string, string, AnyChange, string]>([
    ['sets an unknown field', 'executions', { set: { colour: 'red' } }, 'executions.colour'],
    ['sets a wrong type', 'executions', { set: { 'claim.number': 'two' } }, 'executions.claim.number'],
    ['sets an unknown field of an object', 'executions', { set: { 'claim.port': 2 } }, 'executions.claim.port'],
    ['sets a field to undefined', 'executions', { set: { waits_on: undefined } }, 'executions.waits_on'],
    ['sets a date to a text', 'tokens', { set: { expiry: 'soon' } }, 'not a date'],
    ['removes a required field', 'executions', { unset: ['status'] }, 'a required field cannot be removed'],
    ['removes a required field of an object', 'executions', { unset: ['claim.number'] }, 'executions.claim.number'],
    ['adds another kind of element', 'executions', { push: { due: 7 } }, 'executions.due'],
    [
      'adds another kind of element among others',
      'executions',
      { pushAll: { due: ['notifier', 7] } },
      'executions.due',
    ],
    ['adds to a field that is not a list', 'executions', { push: { status: 'running' } }, 'not a list'],
    ['removes another kind of element', 'executions', { pull: { due: 7 } }, 'executions.due'],
    ['counts values that are not numbers', 'executions', { inc: { status: 1 } }, 'not a number'],
    ['counts by a fraction', 'executions', { inc: { revision: 0.5 } }, 'executions.revision'],
  ])('does not match if it %s', (_what, collection, written, problem) => {
    expect(() => change(collection, written)).toThrow(problem);
  });
});

it('a test fails when it closes a platform after a wrong write, even if the writer caught the error', async () => {
  const platform = await openTestPlatform();
  const wrong = { ...anExecution(), priority: 'high' as never };
  await expect(platform.store.executions.insert(wrong)).rejects.toThrow('priority');
  await expect(platform.close()).rejects.toThrow('A write to executions does not match its schema: priority');
});
