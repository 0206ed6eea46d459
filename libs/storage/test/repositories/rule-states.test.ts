import { newId } from '@switchyard/base';
import type { RuleRecord, RuleStateRecord, TriggerInstanceRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { connectMongo, openStore, type Store } from '../../src';

let platform: TestPlatform;
let store: Store;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  store = platform.store;
});

const aState = (given: Partial<RuleStateRecord> = {}): RuleStateRecord => ({
  _id: newId(),
  rule: 'r',
  group: '',
  revision: 1,
  entries: [],
  batches: [],
  pending: [],
  floor: -1,
  expires: new Date(Date.now() + 3_600_000),
  ...given,
});

describe('rule states', () => {
  it('are saved only with knowledge of the previous state', async () => {
    const first = aState();
    expect(await store.ruleStates.save(first)).toBe(true);
    expect(await store.ruleStates.save(first)).toBe(false);
    const second = { ...first, revision: 2, due: 5 };
    const both = await Promise.all([store.ruleStates.save(second), store.ruleStates.save(second)]);
    expect(both.sort()).toEqual([false, true]);
    expect(await store.ruleStates.get(first._id)).toEqual(second);
    const { due: _, ...third } = { ...second, revision: 3 };
    expect(await store.ruleStates.save(third)).toBe(true);
    expect(await store.ruleStates.get(first._id)).toEqual(third);
  });

  it('are found when something is due', async () => {
    const [early, late] = [aState({ due: 10 }), aState({ due: 20 })];
    for (const state of [late, early, aState()]) await store.ruleStates.save(state);
    expect((await store.ruleStates.due(15, 10)).map(({ _id }) => _id)).toEqual([early._id]);
    expect((await store.ruleStates.due(25, 10)).map(({ _id }) => _id)).toEqual([early._id, late._id]);
    expect(await store.ruleStates.nextDue()).toBe(10);
  });
});

const aRule = (name: string): RuleRecord => ({
  _id: newId(),
  ref: `p.${name}`,
  uid: `rule:p:${name}`,
  name,
  pack: 'p',
  enabled: true,
  type: { ref: 'standard', parameters: {} },
  trigger: 'p.t',
  criteria: {},
  action: { ref: 'p.a', parameters: {} },
  context: {},
  tags: [],
  metadata_file: '',
});

describe('the revision of rules', () => {
  it('grows with every change, successful or not', async () => {
    const rule = aRule('counted');
    const { _id: _, ...draft } = aRule('other');
    const changes = [
      () => store.rules.insert(rule),
      () => store.rules.replace(rule),
      () => store.rules.upsert(draft),
      () => store.rules.insert(rule),
      () => store.rules.remove(rule._id),
    ];
    for (const change of changes) {
      const before = await store.revisions.of('rules');
      await change().catch(() => undefined);
      expect(await store.revisions.of('rules')).toBeGreaterThan(before);
    }
  });

  it('counts concurrent changes', async () => {
    const before = await store.revisions.of('rules');
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.rules.insert(aRule(`at-once-${n}`))));
    expect(await store.revisions.of('rules')).toBe(before + 20);
  });
});

describe('trigger instances', () => {
  const stored = async (given: Partial<TriggerInstanceRecord> = {}): Promise<TriggerInstanceRecord> => {
    const due = { due: ['rules-engine'], due_at: 5 };
    const record = { _id: newId(), trigger: 't', payload: {}, occurrence_time: 1, status: 'pending' as const, ...due };
    return (await store.triggerInstances.insertOnce({ ...record, ...given })).record;
  };

  const outcome = { matched: [], rules: 1 };

  /** Only a server takes several processes. */
  const storeOfAnotherProcess = async (): Promise<Store> => {
    const { config, sealer } = platform;
    if (config.storage.driver !== 'mongodb') return store;
    const connection = await connectMongo(config.database);
    later(() => connection.close());
    return openStore(connection, sealer);
  };

  it('are claimed by exactly one of several claimants', async () => {
    const instance = await stored();
    const claims = await Promise.all([0, 1, 2].map(() => store.triggerInstances.claim(instance._id, 10)));
    const claim = expect.any(String) as string;
    expect(claims.filter(Boolean)).toEqual([{ ...instance, status: 'processing', due_at: 10, claim }]);
  });

  it('are each claimed by exactly one of two processes that claim many at once', async () => {
    const other = await storeOfAnotherProcess();
    const instances = await Promise.all(Array.from({ length: 20 }, () => stored()));
    const claimsOf = ({ triggerInstances }: Store) =>
      Promise.all(instances.map(({ _id }) => triggerInstances.claim(_id, 10)));
    const [ours, theirs] = await Promise.all([claimsOf(store), claimsOf(other)]);
    const owners = instances.map((_, index) => [ours[index], theirs[index]].filter(Boolean).length);
    expect(owners).toEqual(instances.map(() => 1));
    const ends = instances.map(({ _id: id }) => ({ id, from: 'processing', status: 'processed', outcome }) as const);
    await store.triggerInstances.endAll(ends);
    const ended = instances.map(({ _id }) => ({ _id, status: 'processed', claim: undefined, due: undefined }));
    const left = await store.triggerInstances.getAll(instances.map(({ _id }) => _id));
    expect(new Map(left.map(({ _id, status, claim, due }) => [_id, { _id, status, claim, due }]))).toEqual(
      new Map(ended.map((each) => [each._id, each])),
    );
  });

  it('are taken over by exactly one of those who know the last heartbeat', async () => {
    const instance = await stored({ status: 'processing' });
    const claims = await Promise.all([0, 1].map(() => store.triggerInstances.reclaim(instance, 10)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    await store.triggerInstances.postpone([instance._id], 20);
    expect(await store.triggerInstances.reclaim({ ...instance, due_at: 10 }, 30)).toBeUndefined();
  });

  it('cannot be claimed once processed', async () => {
    const instance = await stored();
    await store.triggerInstances.change(instance._id, ['pending'], { set: { status: 'processed' }, unset: ['due', 'due_at'] }); // oxfmt-ignore
    expect(await store.triggerInstances.claim(instance._id, 10)).toBeUndefined();
    expect(await store.triggerInstances.reclaim(instance, 10)).toBeUndefined();
  });
});
