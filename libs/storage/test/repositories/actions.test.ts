import { setTimeout as delay } from 'node:timers/promises';
import { anAction, leakCheck } from '@switchyard/testkit/platform';
import { storeCollections } from '../../src/collections';
import { actionRepository, REQUESTED_FRESH_MS, type ActionRepository } from '../../src/repositories/actions';
import { openTestConnection } from '../support/test-connection';

describe('an action for a request', () => {
  const later = leakCheck();
  let mine: ActionRepository;
  /** The repository of another process. */
  let others: ActionRepository;
  const isEnabled = async (ref: string) => (await mine.requested(ref))?.enabled;

  beforeEach(async () => {
    const connection = await openTestConnection(later);
    const { actions } = storeCollections(connection);
    [mine, others] = [actionRepository(actions), actionRepository(actions)];
  });

  it('has the last change by this process', async () => {
    const action = await mine.insert(anAction({ enabled: true }));
    expect(await isEnabled(action.ref)).toBe(true);
    await mine.replace({ ...action, enabled: false });
    expect(await isEnabled(action.ref)).toBe(false);
    await mine.upsert({ ...action, enabled: true });
    expect(await isEnabled(action.ref)).toBe(true);
    await mine.remove(action._id);
    expect(await isEnabled(action.ref)).toBeUndefined();
    await mine.insertAll([action]);
    expect(await isEnabled(action.ref)).toBe(true);
  });

  it('has a change by another process when the bound has passed', async () => {
    const action = await others.insert(anAction({ enabled: true }));
    expect(await isEnabled(action.ref)).toBe(true);
    await others.replace({ ...action, enabled: false });
    const passed = performance.now() + REQUESTED_FRESH_MS;
    // A timer may fire up to a millisecond early by this clock.
    while (performance.now() < passed) await delay(passed - performance.now());
    expect(await isEnabled(action.ref)).toBe(false);
  });

  it('is read once by many requests', async () => {
    const action = await others.insert(anAction());
    const found = await Promise.all(Array.from({ length: 5 }, () => mine.requested(action.ref)));
    expect(new Set(found).size).toBe(1);
  });

  it('that is looked up otherwise is always read', async () => {
    const action = await others.insert(anAction({ enabled: true }));
    expect(await isEnabled(action.ref)).toBe(true);
    await others.replace({ ...action, enabled: false });
    expect(await mine.byKey(action.ref)).toMatchObject({ enabled: false });
    expect(await mine.find(action.ref)).toMatchObject({ enabled: false });
  });
});
