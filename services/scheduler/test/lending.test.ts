import { setTimeout as delay } from 'node:timers/promises';
import { createExecutions } from '@switchyard/executions';
import { executionStatus, watchQueue, type ReleasePermitsMessage } from '@switchyard/messaging';
import { createLending, createRoom } from '../src/capacity';
import { eventually, leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';

const later = leakCheck();
const SLOTS = 16;

let system: TestSystem;
/** The executions that no scheduler had to release. */
let eager: string[];
/** The process of the test, as identified to schedulers. */
let requester: string | undefined;

beforeEach(async () => {
  system = await startSystem({ runners: [{ slots: SLOTS }] });
  later(() => system.close());
  await system.register();
  [eager, requester] = [[], undefined];
  await watch('handled.requested', ({ id }) => eager.push(id));
  await watch('requested', ({ permits_for: name }) => (requester ??= name));
});

async function watch(key: string, seen: (message: { id: string; permits_for?: string }) => void): Promise<void> {
  await system.platform.bus.consume(
    watchQueue('liveaction.status', 'test', key),
    { prefetch: 50, name: 'test' },
    (message) => Promise.resolve(seen(message)),
  );
}

/** Requests executions until one needs no scheduler. @returns its id */
const untilEager = () =>
  eventually(
    async () => {
      const { _id } = await system.request();
      (await system.manual.runOf(_id)).end();
      expect((await system.untilStatus(_id)).status).toBe('succeeded');
      return eager[0];
    },
    () => `${eager.length} needed no scheduler`,
  );

/** A request of a process that uses no permits. */
function requestElsewhere() {
  const { store, sealer, clock, logger, bus } = system.platform;
  const other = createExecutions({ store, sealer, clock, logger, publisher: bus.publisher(), webUrl: '' });
  return other.request({ action: 'tests.action', user: 'ada' });
}

describe('the scheduler', () => {
  it('lends permits to a process that requests executions while none waits', async () => {
    const { log, revision } = await system.executions.get(await untilEager());
    expect(log.map(({ status }) => status)).toEqual(['requested', 'scheduled', 'running', 'succeeded']);
    expect(revision).toBe(log.length);
  });

  it('revokes them when executions wait', async () => {
    await untilEager();
    const { bus } = system.platform;
    const takenBack: string[] = [];
    await bus.consume(
      watchQueue('scheduler.permits', 'test', requester!),
      { prefetch: 9, name: 'test' },
      ({ pool, count }) => Promise.resolve(count === 0 && takenBack.push(pool)).then(() => undefined),
    );
    // Requests of another process, so that this one keeps its permits.
    await Promise.all(Array.from({ length: 3 * SLOTS }, requestElsewhere));
    await eventually(
      () => takenBack.includes('default'),
      () => 'permits that are revoked',
    );
    await delay(50);
    const late = await system.request();
    expect((await system.executions.get(late._id)).status).toBe('requested');
  });
});

describe('the scheduler renews permits', () => {
  const borrowers = ['one', 'two'] as const;
  let lent: Record<string, number[]>;

  beforeEach(async () => {
    lent = {};
    for (const name of borrowers) {
      const counts: number[] = (lent[name] = []);
      const { bus } = system.platform;
      const take = ({ count }: ReleasePermitsMessage) => Promise.resolve(void counts.push(count));
      await bus.consume(watchQueue('scheduler.permits', name, name), { prefetch: 9, name: 'test' }, take);
    }
  });

  /** The message about an execution that had a permit, of a process that has this many left. */
  const report = async (borrower: string, left: number) => {
    const { _id: id, action_ref: ref } = await requestElsewhere();
    const about = { id, ref, status: 'requested' as const, revision: 1, trace: null };
    const message = executionStatus({ ...about, permits_for: borrower, permits_left: left });
    await system.platform.bus.publisher().publish(message);
    return id;
  };

  it('of a process that has used up half of them, up to the share of the free slots', async () => {
    const id = await report('one', 3);
    await eventually(
      () => lent['one']!.length > 0,
      () => 'permits',
    );
    // Of 16 slots, at most one is taken and 4 more executions may be queued; half of them may be lent.
    expect(lent['one']![0]).toBeGreaterThanOrEqual(9 - 3);
    expect(lent['one']![0]).toBeLessThanOrEqual(10 - 3);
    (await system.manual.runOf(id)).end();
    expect((await system.untilStatus(id)).log.map(({ status }) => status)).toEqual([
      ...['requested', 'scheduled', 'running', 'succeeded'],
    ]);
  });

  it('not while it still has that many', async () => {
    const ids = [await report('two', 10), await report('one', 0)];
    await eventually(
      () => lent['one']!.length > 0,
      () => 'permits',
    );
    expect(lent['two']).toEqual([]);
    for (const id of ids) (await system.manual.runOf(id)).end();
  });
});

it('the room of a pool is divided among the processes that need permits, less what they have', async () => {
  const { bus, clock, logger } = system.platform;
  const lent: [string, number][] = [];
  for (const name of ['one', 'two', 'three'])
    await bus.consume(watchQueue('scheduler.permits', name, name), { prefetch: 9, name: 'test' }, ({ count }) =>
      Promise.resolve(void lent.push([name, count])),
    );
  const room = createRoom();
  const lending = createLending({ room, publisher: bus.publisher(), clock, logger });
  const needs = [
    ['one', 0],
    ['two', 3],
    ['three', 4],
  ] as const;
  for (const [name, left] of needs) lending.note('default', name, left);
  lending.lend('default');
  room.found('default', 24);
  lending.lend('default');
  room.found('default', 24);
  // Nobody needs any now.
  lending.lend('default');
  await eventually(
    () => lent.length >= 2,
    () => 'permits for two processes',
  );
  expect(lent.sort()).toEqual([
    ['one', 4],
    ['two', 1],
  ]);
  expect(room.take('default')).toBe(true);
});

describe('workflows with permits', () => {
  const request = async () => {
    const [first] = await Promise.all(Array.from({ length: 10 }, () => system.request({ action: 'tests.flow' })));
    return first!;
  };
  const counts = async (): Promise<Record<string, number>> => {
    const { executions } = system.platform.store;
    const of = (status: 'requested' | 'scheduled') => executions.count({ action_ref: 'tests.flow', status });
    return { requested: await of('requested'), scheduled: await of('scheduled') };
  };

  it('need no scheduler, until as many wait for an engine as are released ahead', async () => {
    await system.register({ name: 'flow', runner_type: 'orquesta' }, { name: 'orquesta' });
    await eventually(
      async () => {
        await request();
        return eager.length > 0;
      },
      () => `${eager.length} needed no scheduler`,
    );
    const { log } = await system.executions.get(eager[0]!);
    expect(log.map(({ status }) => status)).toEqual(['requested', 'scheduled']);
    // Permits that are used between two looks may exceed the 50 of the look by half of them, and once more while a look is under way.
    for (let count = 0; count < 15; count++) await request();
    const { requested, scheduled } = await counts();
    expect(scheduled).toBeGreaterThanOrEqual(50);
    expect(scheduled).toBeLessThanOrEqual(100);
    expect(requested).toBeGreaterThan(0);
  });
});

it('an execution that waits starts with the write that releases it if a runner of the same process has a free slot', async () => {
  const passed: string[] = [];
  await watch('handled.scheduled', ({ id }) => passed.push(id));
  const { _id } = await system.request();
  (await system.manual.runOf(_id)).end();
  const { log, revision } = await system.untilStatus(_id);
  expect(log.map(({ status }) => status)).toEqual(['requested', 'scheduled', 'running', 'succeeded']);
  expect(revision).toBe(log.length);
  await eventually(
    () => passed.length > 0,
    () => 'the message about the release',
  );
  expect([eager, passed]).toEqual([[], [_id]]);
});
