import { eventually, leakCheck, openTestPlatform, anExecution, type TestPlatform } from '@switchyard/testkit/platform';
import { createUnsureClaims } from '../src/take-up';

const later = leakCheck('all');
let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

const stored = async (status: 'running' | 'scheduled' | 'succeeded', instance = 'me') => {
  const claim = { number: 2, instance, host: 'h', pid: 1 };
  const record = anExecution({ status, slot: 'default', ...(status === 'running' ? { claim } : {}) });
  return (await platform.store.executions.insert(record)).record._id;
};

describe('a claim with an unknown outcome', () => {
  const state = { running: new Set<string>(), taken: new Set<string>(), adopted: [] as string[], away: false };
  const open = () => {
    Object.assign(state, { running: new Set(), taken: new Set(), adopted: [], away: false });
    const { executions } = platform.store;
    const claims = createUnsureClaims({
      records: { get: (id) => (state.away ? Promise.reject(new Error('away')) : executions.get(id)) },
      clock: platform.clock,
      instance: 'me',
      isRunning: (id) => state.running.has(id),
      isBeingTaken: (id) => state.taken.has(id),
      adopt: async ({ _id }) => void state.adopted.push(_id),
      onError: () => (state.away = false),
    });
    later(() => claims.stop());
    return claims;
  };
  const untilAdopted = (ids: string[]) =>
    eventually(
      async () => state.adopted.length >= ids.length,
      () => `adopted ${JSON.stringify(state.adopted)} of ${JSON.stringify(ids)}`,
    );

  it('is taken up only if it was stored', async () => {
    const claims = open();
    const ours = await stored('running');
    const ids = [await stored('scheduled'), await stored('running', 'other'), await stored('succeeded'), ours];
    for (const id of ids) claims.add(id);
    await untilAdopted([ours]);
    expect(state.adopted).toEqual([ours]);
  });

  it('is not touched while this process works on it', async () => {
    const claims = open();
    const [working, ours] = [await stored('running'), await stored('running')];
    state.running.add(working);
    claims.add(working);
    claims.add(ours);
    await untilAdopted([ours]);
    expect(state.adopted).toEqual([ours]);
  });

  it('is checked again if another claim of the same execution is in progress, or the store is unavailable', async () => {
    const claims = open();
    const ours = await stored('running');
    state.away = true;
    claims.add(ours);
    await untilAdopted([ours]);
    const second = await stored('running');
    state.taken.add(second);
    claims.add(second);
    const third = await stored('running');
    claims.add(third);
    await untilAdopted([ours, third]);
    expect(state.adopted).toEqual([ours, third]);
    state.taken.clear();
    await untilAdopted([ours, third, second]);
  });
});
