import { setTimeout as delay } from 'node:timers/promises';
import { createExecutions } from '@switchyard/executions';
import { watchQueue } from '@switchyard/messaging';
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

describe('the scheduler', () => {
  it('lends permits to a process that requests executions while none waits', async () => {
    const { log, revision } = await system.executions.get(await untilEager());
    expect(log.map(({ status }) => status)).toEqual(['requested', 'scheduled', 'running', 'succeeded']);
    expect(revision).toBe(log.length);
  });

  it('revokes them when executions wait', async () => {
    await untilEager();
    const { store, sealer, clock, logger, bus } = system.platform;
    const takenBack: string[] = [];
    await bus.consume(
      watchQueue('scheduler.permits', 'test', requester!),
      { prefetch: 9, name: 'test' },
      ({ pool, count }) => Promise.resolve(count === 0 && takenBack.push(pool)).then(() => undefined),
    );
    // Requests of another process, so that this one keeps its permits.
    const other = createExecutions({ store, sealer, clock, logger, publisher: bus.publisher(), webUrl: '' });
    const request = () => other.request({ action: 'tests.action', user: 'ada' });
    await Promise.all(Array.from({ length: 3 * SLOTS }, request));
    await eventually(
      () => takenBack.includes('default'),
      () => 'permits that are revoked',
    );
    await delay(50);
    const late = await system.request();
    expect((await system.executions.get(late._id)).status).toBe('requested');
  });
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
