import type { MetricName } from '@switchyard/telemetry';
import { anExecution, eventually, handClock, leakCheck, openTestPlatform } from '@switchyard/testkit/system';
import { createLevels } from '../src/levels';

const later = leakCheck();
const NOW_MS = Date.UTC(2030, 0, 1);

/** The levels of pools that one look reports, by pool and name, such as `gpu waiting`. */
async function levelsOf(records: readonly Parameters<typeof anExecution>[0][], served: string[] = ['default']) {
  const { store, close } = await openTestPlatform();
  later(close);
  for (const record of records) await store.executions.insert(anExecution(record));
  const levels = new Map<string, number>();
  const clock = handClock(NOW_MS);
  const task = createLevels({
    records: store.executions,
    capacity: { pools: () => Promise.resolve(served) },
    clock,
    onError: (error) => levels.set(String(error), 1),
    metrics: {
      level(name: MetricName, value: number, ...[labels = {}]: [Readonly<Record<string, string>>?]) {
        if (labels['pool']) levels.set(`${labels['pool']} ${name.replace('pools.{pool}.', '')}`, value);
      },
    },
  });
  later(() => task.stop());
  task.wake();
  // Once the look has ended, the next one is due.
  await eventually(
    () => Promise.resolve(clock.pending > 0),
    () => 'one look',
  );
  return Object.fromEntries(levels);
}

const secondsAgo = (seconds: number) => (NOW_MS - seconds * 1000) * 1000;
const waiting = (pool: string, seconds: number, more: object = {}) => ({
  due: ['scheduler' as const],
  due_at: secondsAgo(seconds),
  schedule_at: secondsAgo(seconds),
  pool,
  ...more,
});

describe('the levels of pools', () => {
  it('count what waits and what holds a slot, also for pools without an action runner', async () => {
    const levels = await levelsOf([
      waiting('gpu', 30),
      waiting('gpu', 10, { status: 'delayed' }),
      { pool: 'gpu', status: 'running', slot: 'gpu' },
      { pool: 'edge', status: 'scheduled', slot: 'edge' },
      { pool: 'gpu', status: 'succeeded' },
    ]);
    expect(levels).toEqual({
      'default waiting': 0,
      'default waiting.age': 0,
      'default active': 0,
      'gpu waiting': 2,
      'gpu waiting.age': 30,
      'gpu active': 1,
      'edge waiting': 0,
      'edge waiting.age': 0,
      'edge active': 1,
    });
  });

  it('take the age from the longest waiting execution, whatever its priority', async () => {
    const levels = await levelsOf([
      waiting('default', 5, { priority: 9 }),
      waiting('default', 120, { priority: -3 }),
      waiting('default', 60),
    ]);
    expect(levels).toMatchObject({ 'default waiting': 3, 'default waiting.age': 120 });
  });

  it('leave out executions that are not due, and those that wait for a policy', async () => {
    const levels = await levelsOf([
      waiting('default', -60, { status: 'delayed', delay: 60_000 }),
      { status: 'delayed', waits_on: 'group', schedule_at: secondsAgo(60) },
    ]);
    expect(levels).toMatchObject({ 'default waiting': 0, 'default waiting.age': 0 });
  });

  it('are limited to a hundred pools without an action runner', async () => {
    const levels = await levelsOf(
      Array.from({ length: 120 }, (_, at) => waiting(`made-up-${at}`, 1)),
      ['default', 'made-up-99'],
    );
    const pools = Object.keys(levels).filter((name) => name.endsWith(' waiting'));
    // Those with a runner are not among the hundred.
    expect(pools.length).toBe(2 + 100);
    expect(levels).toMatchObject({ 'made-up-99 waiting': 1 });
  });
});
