import { newId } from '@switchyard/base';
import { checkPolicy, type PolicyRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';

const later = leakCheck();
let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

const policy = (name: string, more: Partial<PolicyRecord> = {}): PolicyRecord => ({
  _id: newId(),
  ...checkPolicy({
    name,
    resource_ref: `tests.${name}`,
    policy_type: 'action.concurrency',
    parameters: { threshold: 1 },
    ...more,
  }),
});

describe('the policies in force', () => {
  const namesFor = async (action: string) =>
    (await platform.store.policies.inForce()).of(action).map(({ name }) => name);

  it('are the enabled ones, by action', async () => {
    const { policies } = platform.store;
    await policies.insert(policy('one'));
    await policies.insert(policy('off', { enabled: false }));
    expect([await namesFor('tests.one'), await namesFor('tests.off'), await namesFor('tests.none')]).toEqual([
      ['one'],
      [],
      [],
    ]);
  });

  it('are the same object until one changes', async () => {
    const { policies } = platform.store;
    const record = await policies.insert(policy('one'));
    const first = await policies.inForce();
    expect(await policies.inForce()).toBe(first);
    await policies.replace({ ...record, enabled: false });
    expect(await policies.inForce()).not.toBe(first);
    expect(await namesFor('tests.one')).toEqual([]);
    await policies.replace(record);
    expect(await namesFor('tests.one')).toEqual(['one']);
    await policies.remove(record._id);
    expect(await namesFor('tests.one')).toEqual([]);
  });

  it('include a change made while they were read', async () => {
    const { policies } = platform.store;
    const reading = policies.inForce();
    await policies.insert(policy('one'));
    await reading;
    expect(await namesFor('tests.one')).toEqual(['one']);
  });
});

describe('the usage record of a policy', () => {
  const room = (holders: string[], revision = 1) => ({ _id: 'group', revision, holders, starts: [] });

  it('is written only with knowledge of the current one', async () => {
    const { limits } = platform.store;
    const first = room(['a']);
    expect(await limits.save(first, undefined)).toBe(true);
    expect(await limits.save(room(['b']), undefined)).toBe(false);
    expect(await limits.save(room(['a', 'b'], 2), first)).toBe(true);
    expect(await limits.save(room(['a', 'c'], 2), first)).toBe(false);
    expect(await limits.get('group')).toEqual(room(['a', 'b'], 2));
  });

  it('is freed of an ended execution, in every record', async () => {
    const { limits } = platform.store;
    await limits.save(room(['a', 'b']), undefined);
    await limits.save({ ...room(['a']), _id: 'other' }, undefined);
    expect((await limits.free('a')).sort()).toEqual(['group', 'other']);
    expect(await limits.free('a')).toEqual([]);
    expect(await limits.get('group')).toEqual(room(['b'], 2));
  });

  it('is removed only if unchanged since it was read', async () => {
    const { limits } = platform.store;
    const first = room(['a']);
    await limits.save(first, undefined);
    await limits.drop('group', ['a', 'nobody']);
    await limits.remove(first);
    expect(await limits.get('group')).toEqual(room([], 2));
    await limits.remove(room([], 2));
    expect(await limits.list()).toEqual([]);
  });
});
