import { checkPolicy, groupsOf, groupsOfKey, isHolder, limitOf, opensAt, roomLeft, withHolder, withoutHolder } from '@switchyard/model'; // oxfmt-ignore

const policyOf = (type: string, parameters: object, more: object = {}) => ({
  _id: '65f0c0ffee00000000000001',
  ...checkPolicy({ name: 'limit', resource_ref: 'tests.action', policy_type: type, parameters, ...more }),
});
const byHost = (...attributes: string[]) => policyOf('action.concurrency.attr', { threshold: 2, attributes });
const rate = policyOf('action.rate_limit', { limit: 2, per: 10 });
const SECOND = 1_000_000;

describe('the group of an execution', () => {
  it('is the same for all if a policy names no attributes', () => {
    for (const policy of [byHost(), rate, policyOf('action.concurrency', { threshold: 1 })])
      expect(limitOf(policy, { host: 'a' }).key).toBe(limitOf(policy, { host: 'b' }).key);
  });

  it.each<[string, object, object, boolean]>([
    ['equal values', { host: 'a' }, { host: 'a' }, true],
    ['other values', { host: 'a' }, { host: 'b' }, false],
    ['a number and a text', { host: 1 }, { host: '1' }, false],
    ['nothing and null', {}, { host: null }, true],
    ['objects with their keys in another order', { host: { a: 1, b: 2 } }, { host: { b: 2, a: 1 } }, true],
    ['values of other parameters', { host: 'a', more: 1 }, { host: 'a', more: 2 }, true],
  ])('depends on attributes, with %s', (_, one, other, same) => {
    const [a, b] = [one, other].map((values) => limitOf(byHost('host'), values as Record<string, unknown>).key);
    expect(a === b).toBe(same);
  });

  it('ignores the order of attributes, and changes with their names', () => {
    const values = { a: 1, b: 2 };
    expect(limitOf(byHost('a', 'b'), values).key).toBe(limitOf(byHost('b', 'a'), values).key);
    expect(groupsOf(byHost('a'))).not.toBe(groupsOf(byHost('b')));
  });

  it('does not reveal the values in its name', () => {
    const { key } = limitOf(byHost('host'), { host: 'topsecret' });
    expect(key).not.toContain('topsecret');
    expect(groupsOfKey(key)).toBe(groupsOf(byHost('host')));
  });
});

describe('the limit of concurrent executions', () => {
  const limit = limitOf(byHost(), {});

  it('is used and released', () => {
    const one = withHolder(limit, undefined, 'one', 0);
    const two = withHolder(limit, one, 'two', 0);
    expect([undefined, one, two].map((taken) => roomLeft(limit, taken, 0))).toEqual([2, 1, 0]);
    expect([isHolder(limit, two, 'one', 0), isHolder(limit, two, 'three', 0)]).toEqual([true, false]);
    expect(roomLeft(limit, withoutHolder(two, 'one'), 0)).toBe(1);
    expect(opensAt(limit, two, 0)).toBeUndefined();
  });
});

describe('the limit of starts', () => {
  const limit = limitOf(rate, {});
  const two = withHolder(limit, withHolder(limit, undefined, 'one', 0), 'two', 4 * SECOND);

  it.each([
    [4, 0],
    [9.999999, 0],
    [10, 1],
    [14, 2],
  ])('recovers with time: after %d s there is room for %d', (seconds, left) => {
    expect(roomLeft(limit, two, seconds * SECOND)).toBe(left);
  });

  it('returns the time at which there is room again', () => {
    expect(opensAt(limit, two, 5 * SECOND)).toBe(10 * SECOND);
    expect(opensAt(limit, two, 11 * SECOND)).toBeUndefined();
    const less = limitOf({ ...rate, parameters: { limit: 1, per: 10 } }, {});
    expect(opensAt(less, two, 5 * SECOND)).toBe(14 * SECOND);
  });

  it('forgets old starts, and does not go back in time', () => {
    const third = withHolder(limit, two, 'three', 11 * SECOND);
    expect(third.starts.map(({ id }) => id)).toEqual(['two', 'three']);
    expect(withHolder(limit, third, 'four', 9 * SECOND).starts.at(-1)).toEqual({ id: 'four', at: 11 * SECOND });
  });
});
