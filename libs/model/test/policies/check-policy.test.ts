import { checkPolicy, POLICY_TYPES } from '@switchyard/model';

const limit = { name: 'limit', resource_ref: 'tests.action', policy_type: 'action.concurrency' };
const retry = { name: 'again', resource_ref: 'tests.action', policy_type: 'action.retry' };
const rate = { name: 'rate', resource_ref: 'tests.action', policy_type: 'action.rate_limit' };

describe('a policy', () => {
  it('gets defaults for missing fields', () => {
    expect(checkPolicy({ ...limit, parameters: { threshold: 2 } })).toEqual({
      ...limit,
      ref: 'default.limit',
      uid: 'policy:default:limit',
      pack: 'default',
      enabled: true,
      parameters: { threshold: 2, action: 'delay' },
      metadata_file: '',
    });
    expect(checkPolicy({ ...retry, parameters: { retry_on: 'failure' } }).parameters).toEqual({
      retry_on: 'failure',
      max_retry_count: 2,
    });
  });

  it('belongs to its own pack, or else to the given one', () => {
    const body = { ...limit, parameters: { threshold: 2 } };
    expect(checkPolicy(body, 'demo').ref).toBe('demo.limit');
    expect(checkPolicy({ ...body, pack: 'other' }, 'demo').uid).toBe('policy:other:limit');
  });

  it.each<[string, unknown, string]>([
    ['that is a list', [], "[] is not of type 'object'"],
    ['without an action', { name: 'x' }, "'resource_ref' is a required property"],
    ['without a name', { ...limit, name: undefined }, "'name' is a required property"],
    ['with an empty name', { ...limit, name: '' }, 'Both pack and name needed for building ref. pack=default, name='],
    ['of an empty pack', { ...limit, pack: '' }, 'Both pack and name needed for building ref. pack=, name=limit'],
    ['of a pack with a dot', { ...limit, pack: 'a.b' }, 'Pack name should not contain "."'],
    ['with an unknown field', { ...limit, more: 1 }, "Additional properties are not allowed ('more' was unexpected)"],
    [
      'of an unknown type',
      { ...limit, policy_type: 'action.nope' },
      'Referenced policy_type "action.nope" doesnt exist',
    ],
    ['of a type that is not a reference', { ...limit, policy_type: 'nope' }, 'Invalid reference: nope'],
    ['without a threshold', limit, "'threshold' is a required property"],
    ['with a limit of zero', { ...limit, parameters: { threshold: 0 } }, '0 is less than the minimum of 1'],
    ['with a text for a threshold', { ...limit, parameters: { threshold: 'x' } }, "'x' is not of type 'integer'"],
    [
      'with an unknown action',
      { ...limit, parameters: { threshold: 1, action: 'explode' } },
      "'explode' is not one of ['delay', 'cancel']",
    ],
    [
      'with an unknown parameter',
      { ...limit, parameters: { threshold: 1, z: 1 } },
      "Additional properties are not allowed ('z' was unexpected)",
    ],
    [
      'that retries too often',
      { ...retry, parameters: { retry_on: 'failure', max_retry_count: 99 } },
      '99 is greater than the maximum of 5',
    ],
    [
      'that waits for a negative time',
      { ...retry, parameters: { retry_on: 'failure', delay: -1 } },
      '-1 is less than the minimum of 0',
    ],
    ['that has no period', { ...rate, parameters: { limit: 1 } }, "'per' is a required property"],
  ])('%s is rejected', (_, body, text) => {
    expect(() => checkPolicy(body)).toThrow(expect.objectContaining({ status: 400, message: text }));
  });

  it('has one of the known types', () => {
    expect(POLICY_TYPES.map(({ ref, id }) => [ref, id.length])).toEqual([
      ['action.concurrency', 24],
      ['action.concurrency.attr', 24],
      ['action.retry', 24],
      ['action.rate_limit', 24],
    ]);
  });
});
