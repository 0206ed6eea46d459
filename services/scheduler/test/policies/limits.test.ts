import { newId } from '@switchyard/base';
import { checkPolicy, type ExecutionRecord, type PolicyRecord, type Status } from '@switchyard/model';
import {
  anExecution,
  eventually,
  leakCheck,
  startSystem,
  type SystemOptions,
  type TestSystem,
} from '@switchyard/testkit/system';
import { rounds } from '@switchyard/testkit/rounds';
import { createLimits } from '../../src/policies/limits';
import { releaseOne } from '../../src/release-waiting';
import { crowdRunner } from './crowd-runner';

const later = leakCheck();

async function started(options: SystemOptions = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  later(() => system.close());
  await system.register();
  return system;
}

const concurrency = { policy_type: 'action.concurrency', parameters: { threshold: 1 } };

const policyOf = (given: Partial<PolicyRecord> = {}): PolicyRecord => ({
  _id: newId(),
  ...checkPolicy({ name: 'limit', pack: 'tests', resource_ref: 'tests.action', ...concurrency, ...given }),
});

const limit = ({ platform }: TestSystem, given: Partial<PolicyRecord> = {}) =>
  platform.store.policies.insert(policyOf(given));

const requestMany = async (system: TestSystem, count: number, request: object = {}) => {
  const all: ExecutionRecord[] = [];
  for (let i = 0; i < count; i++) all.push(await system.request(request));
  return all;
};

const statusOf = async (system: TestSystem, { _id }: ExecutionRecord) => (await system.executions.get(_id)).status;
const idsOf = (records: readonly ExecutionRecord[]) => records.map(({ _id }) => _id);
const began = ({ manual }: TestSystem) => manual.runs.items.map(({ request }) => request.executionId);
/** Waits until a number is reached, as long as there is progress. */
async function reaches(total: number, what: string, count: () => number | Promise<number>): Promise<void> {
  const STEP = 5;
  for (let wanted = STEP; wanted < total + STEP; wanted += STEP)
    await eventually(
      async () => (await count()) >= Math.min(wanted, total),
      () => `${wanted} of ${total} ${what}`,
    );
}

async function allSucceed({ platform }: TestSystem, total: number): Promise<void> {
  const { executions, limits } = platform.store;
  try {
    await reaches(total, 'succeeded', () => executions.count({ status: 'succeeded' }));
  } catch (cause) {
    const others = (await executions.list({})).filter(({ status }) => status !== 'succeeded');
    const left = others.map(({ _id, status, due, waits_on }) => ({ _id, status, due, waits_on }));
    throw new Error(`these did not succeed: ${JSON.stringify({ left, limits: await limits.list() })}`, { cause });
  }
}

const ends = (system: TestSystem, count: number, status: Status = 'succeeded') =>
  eventually(
    async () => (await system.platform.store.executions.count({ status })) === count,
    () => `${count} ${status}`,
  );

/** Number of executions that meet a limit. */
const CROWD = rounds(50);
/** Timeout for tests with many executions on a busy machine. */
const LONG_MS = 3 * 60_000;

describe('a limit of three at once', () => {
  const threshold = { parameters: { threshold: 3 } };

  it(
    `is kept by two schedulers for ${CROWD} executions, and all of them run`,
    async () => {
      const crowd = crowdRunner();
      const system = await started({ schedulers: 2, runners: [{ slots: 20 }, { slots: 20 }], plugins: [crowd] });
      await system.register({ name: 'action', runner_type: 'crowd' });
      await limit(system, threshold);
      const all = await Promise.all(Array.from({ length: CROWD }, () => system.request()));
      await allSucceed(system, all.length);
      expect(Math.max(...crowd.most.values())).toBeLessThanOrEqual(3);
      expect(new Set(crowd.began).size).toBe(CROWD);
      expect(await system.platform.store.executions.waitedOn()).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'is kept when one of two schedulers is killed in the middle',
    async () => {
      const crowd = crowdRunner();
      const system = await started({ schedulers: 2, runners: [{ slots: 20 }], plugins: [crowd] });
      await system.register({ name: 'action', runner_type: 'crowd' });
      await limit(system, threshold);
      const all = await Promise.all(Array.from({ length: CROWD }, () => system.request()));
      await reaches(Math.floor(CROWD / 3), 'have begun', () => crowd.began.length);
      await system.schedulers[0]!.kill();
      await allSucceed(system, all.length);
      expect(Math.max(...crowd.most.values())).toBeLessThanOrEqual(3);
    },
    LONG_MS,
  );

  it(
    'releases them in order of arrival, one for each that ends',
    async () => {
      const system = await started({ schedulers: 2, runners: [{ slots: 20 }] });
      await limit(system, threshold);
      const all = idsOf(await requestMany(system, 40));
      for (let i = 0; i < all.length; i++) {
        await system.manual.runs.until(Math.min(i + 3, all.length));
        (await system.manual.runOf(all[i]!)).end();
      }
      await ends(system, all.length);
      // The first three may begin in any order.
      expect(began(system).slice(3)).toEqual(all.slice(3));
      expect(began(system).slice(0, 3).sort()).toEqual(all.slice(0, 3).sort());
    },
    LONG_MS,
  );
});

describe('a limit of one', () => {
  it('orders by priority, then by time', async () => {
    const system = await started({ schedulers: 2 });
    await limit(system);
    const [first] = await requestMany(system, 1);
    await system.manual.runOf(first!._id);
    const low = await requestMany(system, 2, { priority: -1 });
    const usual = await requestMany(system, 2);
    const urgent = await requestMany(system, 2, { priority: 5 });
    for (const { _id } of [...low, ...usual, ...urgent]) await system.untilStatus(_id, 'delayed');
    for (let i = 0; i < 7; i++) (await system.manual.runs.until(i + 1))[i]!.end();
    await ends(system, 7);
    expect(began(system)).toEqual(idsOf([first!, ...urgent, ...usual, ...low]));
  });

  it('reports what the others wait for, and keeps them out of the backlog', async () => {
    const system = await started();
    const policy = await limit(system);
    const [first, second] = await requestMany(system, 2);
    await system.untilStatus(second!._id, 'delayed');
    const waiting = await system.executions.get(second!._id);
    expect(waiting).toMatchObject({ waiting_for: 'policy "tests.limit"' });
    expect(waiting.waits_on).toContain(policy._id);
    expect(await system.platform.store.executions.backlog('default', Number.MAX_SAFE_INTEGER, 5)).toEqual([]);
    (await system.manual.runOf(first!._id)).end();
    (await system.manual.runOf(second!._id)).end();
    const ended = await system.untilStatus(second!._id);
    expect(ended.log.map(({ status }) => status)).toEqual([
      'requested',
      'delayed',
      'scheduled',
      'running',
      'succeeded',
    ]);
    expect(ended.waits_on ?? ended.waiting_for).toBeUndefined();
  });

  it('does not delay executions of other actions', async () => {
    const system = await started({ runners: [{ slots: 2 }] });
    await limit(system);
    await system.register({ name: 'free', ref: 'tests.free' });
    const all = await requestMany(system, 30);
    const free = await system.request({ action: 'tests.free' });
    (await system.manual.runOf(free._id)).end();
    expect((await system.untilStatus(free._id)).status).toBe('succeeded');
    (await system.manual.runOf(all[0]!._id)).end();
    await system.schedulers[0]!.stop();
    system.manual.runs.items.forEach((run) => run.end());
  });

  it('cancels the others if the policy is configured to', async () => {
    const system = await started();
    await limit(system, { parameters: { threshold: 1, action: 'cancel' } });
    const [first, second] = await requestMany(system, 2);
    const canceled = await system.untilStatus(second!._id);
    expect(canceled.status).toBe('canceled');
    expect(await system.executions.results.load(canceled, false)).toEqual({
      message: 'Canceled by the policy "tests.limit": there is no room for another execution.',
    });
    (await system.manual.runOf(first!._id)).end();
    await system.untilStatus(first!._id);
    // Its place is given back a moment after its end.
    await eventually(
      async () => (await system.platform.store.limits.list()).every(({ holders }) => !holders.includes(first!._id)),
      () => 'the place of the first execution to be free',
    );
    const third = await system.request();
    (await system.manual.runOf(third._id)).end();
    expect((await system.untilStatus(third._id)).status).toBe('succeeded');
  });

  it.each(['failed', 'timeout', 'abandoned', 'canceled'] as const)(
    'is free again after an end as %s',
    async (status) => {
      const system = await started();
      await limit(system);
      const [first, second] = await requestMany(system, 2);
      (await system.manual.runOf(first!._id)).end({ status });
      (await system.manual.runOf(second!._id)).end();
      expect((await system.untilStatus(second!._id)).status).toBe('succeeded');
    },
  );

  it('loses nothing when a waiting execution is canceled', async () => {
    const system = await started();
    await limit(system);
    const [first, second, third] = await requestMany(system, 3);
    await system.untilStatus(second!._id, 'delayed');
    expect((await system.executions.cancel(second!._id, 'ada')).status).toBe('canceled');
    (await system.manual.runOf(first!._id)).end();
    (await system.manual.runOf(third!._id)).end();
    expect((await system.untilStatus(third!._id)).status).toBe('succeeded');
    expect(began(system)).toEqual(idsOf([first!, third!]));
  });

  it('counts an execution that a dead runner left for another run only once', async () => {
    const system = await started();
    await limit(system);
    const [first, second] = await requestMany(system, 2, { idempotent: true });
    const run = await system.manual.runOf(first!._id);
    const { claim } = await system.executions.get(first!._id);
    await system.executions.transition(await system.executions.get(first!._id), 'requested', {
      claim: claim!,
      due: ['scheduler'],
    });
    (await system.manual.runOf(first!._id, 2)).end();
    run.end();
    (await system.manual.runOf(second!._id)).end();
    expect((await system.untilStatus(second!._id)).status).toBe('succeeded');
  });
});

describe('a limit by the values of parameters', () => {
  const byHost = (attributes: string[], threshold = 1) => ({
    policy_type: 'action.concurrency.attr',
    parameters: { threshold, attributes },
  });
  const parameters = { host: { type: 'string', default: 'a' }, token: { type: 'string', secret: true } };

  it(
    'is kept for each value by two schedulers',
    async () => {
      const crowd = crowdRunner();
      const system = await started({ schedulers: 2, runners: [{ slots: 30 }], plugins: [crowd] });
      await system.register({ runner_type: 'crowd', parameters });
      await limit(system, byHost(['host'], 3));
      const hosts = ['a', 'b', 'c', 'd'];
      const all = await Promise.all(
        Array.from({ length: CROWD }, (_, i) => system.request({ parameters: { host: hosts[i % hosts.length] } })),
      );
      await allSucceed(system, all.length);
      expect([...crowd.most.keys()].sort()).toEqual(hosts);
      expect(Math.max(...crowd.most.values())).toBeLessThanOrEqual(3);
    },
    LONG_MS,
  );

  it('treats a default like the same value given explicitly', async () => {
    const system = await started();
    await system.register({ parameters });
    await limit(system, byHost(['host']));
    const first = await system.request();
    await system.manual.runOf(first._id);
    const same = await system.request({ parameters: { host: 'a' } });
    const other = await system.request({ parameters: { host: 'b' } });
    await system.manual.runOf(other._id);
    await system.untilStatus(same._id, 'delayed');
    expect(began(system)).toEqual([first._id, other._id]);
    system.manual.runs.items.forEach((run) => run.end());
    (await system.manual.runOf(same._id)).end();
    await ends(system, 3);
  });

  it('distinguishes secret values and stores none of them', async () => {
    const system = await started();
    await system.register({ parameters });
    await limit(system, byHost(['token']));
    const request = (token: string) => system.request({ parameters: { token } });
    const [first, same, other] = [await request('topsecret'), await request('topsecret'), await request('other')];
    await system.manual.runOf(first._id);
    await system.manual.runOf(other._id);
    const waiting = await system.untilStatus(same._id, 'delayed');
    expect(JSON.stringify([waiting, await system.platform.store.limits.list()])).not.toContain('topsecret');
    system.manual.runs.items.forEach((run) => run.end());
    (await system.manual.runOf(same._id)).end();
    await ends(system, 3);
  });
});

describe('a change of policies', () => {
  it('counts executions that are already running', async () => {
    const system = await started();
    const running = await system.request();
    await system.manual.runOf(running._id);
    await limit(system);
    const next = await system.request();
    await system.untilStatus(next._id, 'delayed');
    (await system.manual.runOf(running._id)).end();
    (await system.manual.runOf(next._id)).end();
    expect((await system.untilStatus(next._id)).status).toBe('succeeded');
  });

  it.each<[string, (system: TestSystem, policy: PolicyRecord) => Promise<unknown>]>([
    ['is deleted', ({ platform }, { _id }) => platform.store.policies.remove(_id)],
    ['is disabled', ({ platform }, policy) => platform.store.policies.replace({ ...policy, enabled: false })],
    [
      'has more room',
      ({ platform }, policy) => platform.store.policies.replace({ ...policy, parameters: { threshold: 4 } }),
    ],
  ])('releases waiting executions when the policy %s', async (_, change) => {
    const system = await started();
    const policy = await limit(system);
    const all = await requestMany(system, 3);
    await system.untilStatus(all[2]!._id, 'delayed');
    await change(system, policy);
    for (const { _id } of all) (await system.manual.runOf(_id)).end();
    await ends(system, 3);
  });
});

const rate = (parameters: object) => ({
  policy_type: 'action.rate_limit',
  parameters: { limit: 5, per: 1, ...parameters },
});

describe('a limit of starts', () => {
  const startsOf = (records: readonly ExecutionRecord[]) =>
    records.map(({ log }) => log.find(({ status }) => status === 'scheduled')!.timestamp).sort((a, b) => a - b);

  it('is kept by two schedulers in any period', async () => {
    const system = await started({ schedulers: 2, runners: [{ slots: 20 }], plugins: [crowdRunner()] });
    await system.register({ runner_type: 'crowd' });
    await limit(system, rate({}));
    const requestedAt = system.platform.clock.nowMicros();
    const all = await Promise.all(Array.from({ length: 12 }, () => system.request()));
    const ended = [];
    for (const { _id } of all) ended.push(await system.untilStatus(_id));
    expect(ended.map(({ status }) => status)).toEqual(all.map(() => 'succeeded'));
    const taken = (await system.platform.store.limits.list()).flatMap(({ starts }) => starts.map(({ at }) => at));
    expect(taken.length).toBeLessThanOrEqual(5);
    // Room is taken after the request and before the execution is scheduled, with five places in each second.
    const starts = startsOf(ended);
    expect(starts[5]! - requestedAt).toBeGreaterThanOrEqual(1_000_000);
    expect(starts[10]! - requestedAt).toBeGreaterThanOrEqual(2_000_000);
  });

  it('applies to each value of a parameter, and cancels if configured to', async () => {
    const system = await started();
    await system.register({ parameters: { host: { type: 'string' } } });
    await limit(system, rate({ limit: 1, per: 3600, attributes: ['host'], action: 'cancel' }));
    const request = (host: string) => system.request({ parameters: { host } });
    const all = [await request('a'), await request('b'), await request('a')];
    await system.untilStatus(all[2]!._id, 'canceled');
    for (const { _id } of all.slice(0, 2)) (await system.manual.runOf(_id)).end();
    await ends(system, 2);
  });

  it(
    'works together with a limit of concurrent executions',
    async () => {
      const crowd = crowdRunner();
      const system = await started({ schedulers: 2, plugins: [crowd] });
      await system.register({ runner_type: 'crowd' });
      await limit(system, { parameters: { threshold: 2 } });
      await limit(system, { name: 'rate', ...rate({ limit: 10, per: 0.2 }) });
      const all = await Promise.all(Array.from({ length: 40 }, () => system.request()));
      await allSucceed(system, all.length);
      expect(crowd.most.get(undefined)).toBeLessThanOrEqual(2);
    },
    LONG_MS,
  );
});

describe('room that one scheduler gives back while another has found it taken', () => {
  /** An execution with two limits, and the gates of two schedulers. */
  const twoGates = async (plugins: SystemOptions['plugins'] = [], runner_type = 'manual') => {
    const system = await started({ schedulers: 0, plugins });
    await system.register({ runner_type });
    const { clock, store, metrics } = system.platform;
    const { executions } = system;
    await limit(system);
    await limit(system, { name: 'rate', ...rate({ limit: 1, per: 3600 }) });
    const record = await system.request();
    const gate = () => createLimits({ store, executions, clock }).gateOf(record.pool);
    const release = () => releaseOne({ executions, clock, metrics, scheduler: 's' }, record);
    const limits = await executions.policies.limitsOf(record);
    return { system, record, limits, first: gate(), second: gate(), release };
  };

  /** The second of two limits has refused the first scheduler, but not the second. */
  const both = async () => {
    const { system, record, limits, first, second, release } = await twoGates();
    const { clock, store } = system.platform;
    const [concurrency, starts] = limits.map(({ key }) => key) as [string, string];
    const other = { id: newId(), at: clock.nowMicros() };
    await store.limits.save({ _id: starts, revision: 1, holders: [], starts: [other] }, undefined);
    const refused = await first.enter(record, limits);
    expect(refused).toEqual({ taken: [concurrency], refusedBy: limits[1] });
    await store.limits.save({ _id: starts, revision: 2, holders: [], starts: [] }, await store.limits.get(starts));
    const admitted = await second.enter(record, limits);
    expect(admitted).toEqual({ taken: [concurrency, starts] });
    return {
      system,
      record,
      limits,
      firstLeaves: () => first.leave(record, refused),
      secondLeaves: () => second.leave(record, admitted),
      secondReleases: release,
      holders: async () =>
        (await store.limits.list()).flatMap((group) => [...group.holders, ...group.starts.map(({ id }) => id)]),
    };
  };

  it('is kept if the other has scheduled the execution', async () => {
    const { record, firstLeaves, secondReleases, holders } = await both();
    expect(await secondReleases()).toBe(true);
    await firstLeaves();
    expect(await holders()).toEqual([record._id, record._id]);
  });

  it('is kept for the start of the execution if that has already ended', async () => {
    const { system, record, limits, first, second, release } = await twoGates([crowdRunner()], 'crowd');
    await first.enter(record, limits);
    // The second scheduler takes the room over, and the first one schedules the execution.
    const entry = await second.enter(record, limits);
    expect(await release()).toBe(true);
    await system.untilStatus(record._id, 'succeeded');
    await second.leave(record, entry);
    const groups = await Promise.all(limits.map(({ key }) => system.platform.store.limits.get(key)));
    expect(groups.map((group) => group?.holders)).toEqual([[], []]);
    expect(groups.map((group) => group?.starts.map(({ id }) => id))).toEqual([[], [record._id]]);
  });

  it('stays with the other scheduler if that takes it over first', async () => {
    const { system, record, limits, firstLeaves, secondLeaves, holders } = await both();
    const { store, clock, metrics } = system.platform;
    const { executions } = system;
    await firstLeaves();
    await secondLeaves();
    const now = await executions.get(record._id);
    const [third, fourth] = [0, 1].map(() => createLimits({ store, executions, clock }).gateOf(record.pool));
    const taken = await third!.enter(now, limits);
    // Between the two writes with which the third scheduler gives its room back.
    const again = await executions.get(record._id);
    const entry = await fourth!.enter(again, limits);
    for (const key of taken.taken) expect(await executions.policies.giveBack([key], record._id, 'somebody')).toBe(true);
    expect(await holders()).toEqual([record._id, record._id]);
    const latest = await executions.get(record._id);
    expect(await releaseOne({ executions, clock, metrics, scheduler: 's' }, latest)).toBe(true);
    await third!.leave(now, taken);
    await fourth!.leave(again, entry);
    expect(await holders()).toEqual([record._id, record._id]);
  });

  it('keeps the other from scheduling the execution', async () => {
    const { system, record, firstLeaves, secondLeaves, secondReleases, holders } = await both();
    await firstLeaves();
    expect(await secondReleases()).toBe(false);
    await secondLeaves();
    expect(await holders()).toEqual([]);
    await system.addScheduler();
    (await system.manual.runOf(record._id)).end();
    await ends(system, 1);
  });
});

describe('room that a dead scheduler left behind', () => {
  it.each<[string, (system: TestSystem, id: string) => Partial<ExecutionRecord>]>([
    ['is gone', () => ({})],
    ['has ended', () => ({ status: 'failed' })],
  ])('is freed when the holder %s', async (state, fields) => {
    const system = await started({ schedulers: 0 });
    const policy = await limit(system);
    const holder = anExecution(fields(system, ''));
    if (state !== 'is gone') await system.platform.store.executions.insert(holder);
    const waiting = await system.request();
    const [group] = await system.executions.policies.limitsOf(waiting);
    await system.platform.store.limits.save(
      { _id: group!.key, revision: 1, holders: [holder._id], starts: [] },
      undefined,
    );
    await system.addScheduler();
    (await system.manual.runOf(waiting._id)).end();
    expect((await system.untilStatus(waiting._id)).status).toBe('succeeded');
    expect(policy.enabled).toBe(true);
  });

  it('is used when the holder still waits', async () => {
    const system = await started({ schedulers: 0 });
    await limit(system);
    const [first, second] = await requestMany(system, 2);
    const [group] = await system.executions.policies.limitsOf(first!);
    await system.executions.policies.wait(first!, group!);
    await system.platform.store.limits.save(
      { _id: group!.key, revision: 1, holders: [first!._id], starts: [] },
      undefined,
    );
    await system.addScheduler();
    (await system.manual.runOf(first!._id)).end();
    (await system.manual.runOf(second!._id)).end();
    await ends(system, 2);
  });

  it('is cleaned up after a while', async () => {
    const system = await started();
    await limit(system);
    const only = await system.request();
    (await system.manual.runOf(only._id)).end();
    await system.untilStatus(only._id);
    await eventually(
      async () => (await system.platform.store.limits.list()).length === 0,
      () => 'no record of the group',
    );
    expect(await statusOf(system, only)).toBe('succeeded');
  });
});
