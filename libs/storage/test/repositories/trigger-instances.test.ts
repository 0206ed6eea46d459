import { newId } from '@switchyard/base';
import type { TriggerInstanceRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform } from '@switchyard/testkit/platform';
import type { Store, TriggerInstanceEnd } from '../../src';

let store: Store;
const later = leakCheck('all');
beforeAll(async () => {
  const platform = await openTestPlatform();
  later(() => platform.close());
  store = platform.store;
});

async function stored(given: Partial<TriggerInstanceRecord> = {}): Promise<TriggerInstanceRecord> {
  const instance: TriggerInstanceRecord = {
    _id: newId(),
    trigger: 'p.t',
    payload: { a: 1 },
    occurrence_time: 1,
    status: 'pending',
    due: ['rules-engine'],
    due_at: 1,
    ...given,
  };
  return (await store.triggerInstances.insertOnce(instance)).record;
}

const endOf = ({ _id: id, status: from }: TriggerInstanceRecord, rules: number): TriggerInstanceEnd => ({
  id,
  from,
  status: 'processed',
  outcome: { matched: [], rules },
});

describe('several trigger instances', () => {
  it('are read with one call, skipping missing ones', async () => {
    const instances = [await stored(), await stored(), await stored()];
    const ids = instances.map(({ _id }) => _id);
    const found = await store.triggerInstances.getAll([ids[0]!, newId(), ids[2]!, ids[0]!]);
    expect(found.map(({ _id }) => _id).sort()).toEqual([ids[0]!, ids[2]!].sort());
    expect(found.find(({ _id }) => _id === ids[0])).toEqual(instances[0]);
    expect(await store.triggerInstances.getAll([])).toEqual([]);
  });

  it('end with one call, each with its own outcome', async () => {
    const [first, second] = [await stored(), await stored({ status: 'processing' })];
    await store.triggerInstances.endAll([endOf(first, 1), endOf(second, 2)]);
    const { due: _, due_at: __, ...rest } = first;
    expect(await store.triggerInstances.get(first._id)).toEqual({
      ...rest,
      status: 'processed',
      outcome: { matched: [], rules: 1 },
    });
    expect(await store.triggerInstances.get(second._id)).toMatchObject({ outcome: { matched: [], rules: 2 } });
    await store.triggerInstances.endAll([]);
  });

  it('do not end if their status changed, without blocking the others', async () => {
    const [taken, free] = [await stored(), await stored()];
    await store.triggerInstances.claim(taken._id, 5);
    await store.triggerInstances.endAll([endOf(taken, 1), endOf(free, 1)]);
    expect(await store.triggerInstances.get(taken._id)).toMatchObject({ status: 'processing', due_at: 5 });
    expect(await store.triggerInstances.get(free._id)).toMatchObject({ status: 'processed' });
  });

  it('end once, even if ended concurrently', async () => {
    const instances = await Promise.all(Array.from({ length: 20 }, () => stored()));
    await Promise.all(
      [1, 2, 3].map((rules) => store.triggerInstances.endAll(instances.map((instance) => endOf(instance, rules)))),
    );
    for (const { status, outcome, due } of await store.triggerInstances.getAll(instances.map(({ _id }) => _id))) {
      expect(status).toBe('processed');
      expect([1, 2, 3]).toContain(outcome?.rules);
      expect(due).toBeUndefined();
    }
  });
});
