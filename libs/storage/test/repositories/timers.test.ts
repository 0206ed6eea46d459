import type { TimerRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform } from '@switchyard/testkit/platform';
import type { Store } from '../../src';

let store: Store;
const later = leakCheck('all');
beforeAll(async () => {
  const platform = await openTestPlatform();
  later(() => platform.close());
  store = platform.store;
});

let count = 0;
const aTimer = (given: Partial<TimerRecord> = {}): TimerRecord => ({
  _id: `timer${++count}`,
  trigger: 'core.tick',
  fingerprint: 'f',
  anchor: 0,
  written_at: 1,
  ...given,
});

describe('timers', () => {
  it('are due in order of time', async () => {
    const [b, a, without] = [aTimer({ due_at: 20 }), aTimer({ due_at: 10 }), aTimer()];
    for (const record of [b, a, without]) expect(await store.timers.enter(record, undefined)).toBe(true);
    expect(await store.timers.due(9, 5)).toEqual([]);
    expect(await store.timers.due(20, 5)).toEqual([a, b]);
    expect(await store.timers.due(20, 1)).toEqual([a]);
    expect([await store.timers.nextDue(9), await store.timers.nextDue(10), await store.timers.nextDue(20)]).toEqual([
      10,
      20,
      undefined,
    ]);
    for (const { _id } of [a, b, without]) await store.timers.remove(_id);
    expect(await store.timers.list()).toEqual([]);
  });

  it('are inserted once, and changed only with knowledge of the current one', async () => {
    const record = aTimer();
    expect(await store.timers.enter(record, undefined)).toBe(true);
    expect(await store.timers.enter({ ...record, anchor: 5 }, undefined)).toBe(false);
    const changed = { ...record, due_at: 7, written_at: 2 };
    expect(await store.timers.enter(changed, record)).toBe(true);
    expect(await store.timers.enter({ ...record, anchor: 5 }, record)).toBe(false);
    expect(await store.timers.get(record._id)).toEqual(changed);
  });

  it('are advanced once', async () => {
    const record = aTimer({ due_at: 10 });
    await store.timers.enter(record, undefined);
    expect(await store.timers.advance(record, { next: 20, fired: 10, now: 11 })).toBe(true);
    expect(await store.timers.advance(record, { next: 30, fired: 10, now: 12 })).toBe(false);
    expect(await store.timers.get(record._id)).toEqual({ ...record, due_at: 20, fired: 10, written_at: 11 });
    expect(await store.timers.advance({ ...record, due_at: 20 }, { next: undefined, now: 21 })).toBe(true);
    const { due_at: _, ...last } = { ...record, fired: 10, written_at: 21 };
    expect(await store.timers.get(record._id)).toEqual(last);
  });
});

describe('an election', () => {
  it('is won by the first, and taken over with knowledge of the term', async () => {
    const { elections } = store;
    const first = await elections.take('x', undefined, 'a', 1);
    expect(first).toEqual({ _id: 'x', holder: 'a', term: 1, since: 1 });
    expect(await elections.take('x', undefined, 'b', 2)).toBeUndefined();
    const second = await elections.take('x', first, 'b', 3);
    expect(second).toEqual({ _id: 'x', holder: 'b', term: 2, since: 3 });
    expect(await elections.take('x', first, 'c', 4)).toBeUndefined();
    await elections.release('x', 1);
    expect(await elections.get('x')).toEqual(second);
    await elections.release('x', 2);
    expect(await elections.get('x')).toEqual({ _id: 'x', term: 2, since: 3 });
  });
});
