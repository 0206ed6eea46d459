import type { Executions, LocalRunner } from '@switchyard/executions';
import { createPermits } from '@switchyard/executions';
import { releasePermits, watchQueue, type MessageBody } from '@switchyard/messaging';
import type { ExecutionRecord } from '@switchyard/model';
import {
  anAction,
  aRunnerType,
  eventually,
  leakCheck,
  openTestPlatform,
  type TestPlatform,
} from '@switchyard/testkit/platform';
import { by, executionsOn, register } from './executions-fixture';

const VALID_MS = 10_000;

let platform: TestPlatform;
let executions: Executions;
let ref: string;
let aheadMs: number;
beforeEach(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  aheadMs = 0;
  const clock = { ...platform.clock, monotonicMs: () => platform.clock.monotonicMs() + aheadMs };
  executions = executionsOn(platform, { permits: createPermits({ ...platform, clock }) });
  ref = await register(platform);
});
const later = leakCheck();

interface Seen extends MessageBody {
  readonly id: string;
  readonly status: string;
  readonly permits_for?: string;
  readonly permits_left?: number;
}

/** Collects the messages about statuses with a routing key. */
async function messagesWith(key: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  await platform.bus.consume(watchQueue('liveaction.status', 'test', key), { prefetch: 9, name: 'test' }, (message) => {
    seen.push(message);
    return Promise.resolve();
  });
  return seen;
}

/** How this process identifies itself to schedulers. */
async function requesterOf(): Promise<string> {
  const requests = await messagesWith('requested');
  return eventually(
    async () => {
      await by(executions, ref);
      return requests.find((message) => message.permits_for !== undefined)?.permits_for;
    },
    () => 'a request that names its process',
  );
}

/** What a scheduler does when it receives a request that names the process. */
const sendPermits = (requester: string, count: number, pool = 'default') =>
  platform.bus.publisher().publish(releasePermits({ requester, pool, count, valid_ms: VALID_MS }));

async function receivePermits(count: number): Promise<void> {
  await sendPermits(await requesterOf(), count);
}

const statusesOf = ({ log }: ExecutionRecord) => log.map(({ status }) => status);

/** The stored record of the first request that starts eagerly. */
const untilEager = () =>
  eventually(
    async () => {
      const { _id, status } = await by(executions, ref);
      expect(status).toBe('requested');
      const stored = await executions.get(_id);
      return stored.status === 'requested' ? undefined : stored;
    },
    () => 'an execution that started with a permit',
  );

/** A runner with one slot that only records its calls. */
function recordingRunner() {
  const calls: string[] = [];
  const runner: LocalRunner = {
    reserve: (pool) =>
      pool === 'default'
        ? {
            claim: { instance: 'me', host: 'here', pid: 7 },
            start: ({ claim }) => calls.push(`start ${claim.number}`),
            release: () => calls.push('release'),
            findOut: (id) => calls.push(`find out ${id.length}`),
          }
        : undefined,
  };
  return { runner, calls };
}

describe('a request with a permit', () => {
  it('is stored as scheduled with one write, and its message goes to the runners', async () => {
    const [work, handled] = [await messagesWith('scheduled'), await messagesWith('handled.requested')];
    await receivePermits(3);
    const stored = await untilEager();
    expect(stored).toMatchObject({ status: 'scheduled', revision: 2, slot: 'default', due: ['action-runner'] });
    expect(statusesOf(stored)).toEqual(['requested', 'scheduled']);
    const about = { id: stored._id, ref };
    await eventually(
      () => work.length > 0 && handled.length > 0,
      () => 'both messages',
    );
    expect(work).toMatchObject([{ ...about, status: 'scheduled', revision: 2 }]);
    expect(handled).toMatchObject([{ ...about, status: 'requested', revision: 1 }]);
  });

  it('is stored as running if a runner of this process has a free slot', async () => {
    const work = await messagesWith('scheduled');
    const { runner, calls } = recordingRunner();
    executions.offerRunner(runner);
    await receivePermits(1);
    const stored = await untilEager();
    expect(stored).toMatchObject({
      status: 'running',
      revision: 3,
      slot: 'default',
      claim: { instance: 'me', host: 'here', pid: 7, number: 2 },
      runner_info: { hostname: 'here', pid: 7 },
    });
    expect(stored).not.toHaveProperty('due');
    expect(statusesOf(stored)).toEqual(['requested', 'scheduled', 'running']);
    expect(calls).toEqual(['start 2']);
    expect(work).toEqual([]);
  });

  it('is stored as requested if the runner of the only process has no free slot', async () => {
    await receivePermits(2);
    await untilEager();
    executions.offerRunner({ reserve: () => undefined });
    const { status } = await executions.get((await by(executions, ref))._id);
    expect(status).toBe(platform.store.isExclusive ? 'requested' : 'scheduled');
  });

  it('does not use the runner after it is disabled again', async () => {
    const { runner, calls } = recordingRunner();
    executions.offerRunner(runner)();
    await receivePermits(1);
    expect((await untilEager()).status).toBe('scheduled');
    expect(calls).toEqual([]);
  });

  it('is stored as scheduled for the engines if it is a workflow, and holds no slot', async () => {
    const begin: MessageBody[] = [];
    await platform.bus.consume('workflow.work', { prefetch: 9, name: 'test' }, (message) => {
      begin.push(message);
      return Promise.resolve();
    });
    const { runner, calls } = recordingRunner();
    executions.offerRunner(runner);
    await platform.store.runnerTypes.upsert(aRunnerType({ name: 'orquesta' }));
    const workflow = await platform.store.actions.insert(anAction({ name: 'flow', runner_type: 'orquesta' }));
    const requester = await requesterOf();
    await sendPermits(requester, 1, 'workflows');
    await sendPermits(requester, 1);
    await untilEager();
    calls.length = 0;
    const stored = await executions.get((await by(executions, workflow.ref))._id);
    expect(stored).toMatchObject({ status: 'scheduled', revision: 2, due: ['workflow-engine'], pool: 'workflows' });
    expect(stored).not.toHaveProperty('slot');
    expect(statusesOf(stored)).toEqual(['requested', 'scheduled']);
    await eventually(
      () => begin.length > 0,
      () => 'the message for the engines',
    );
    expect(begin).toMatchObject([{ id: stored._id, status: 'requested' }]);
    expect((await executions.get((await by(executions, workflow.ref))._id)).status).toBe('requested');
    expect(calls).toEqual([]);
  });

  it('uses up the permit', async () => {
    await receivePermits(2);
    const before = await untilEager();
    const more = [await by(executions, ref), await by(executions, ref)];
    const stored = await Promise.all(more.map(({ _id }) => executions.get(_id)));
    expect([before, ...stored].map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'requested']);
  });

  it('reports to a scheduler when half of the permits are used up, once', async () => {
    const [requested, handled] = [await messagesWith('requested'), await messagesWith('handled.requested')];
    const requester = await requesterOf();
    await sendPermits(requester, 4);
    const records = [await untilEager()];
    for (let count = 0; count < 3; count++) records.push(await executions.get((await by(executions, ref))._id));
    expect(records.map(statusesOf)).toEqual(Array(4).fill(['requested', 'scheduled']));
    const reports = () => requested.filter((message) => message.permits_left !== undefined);
    await eventually(
      () => handled.length >= 3 && reports().length > 0,
      () => 'a message for each request',
    );
    expect(reports()).toMatchObject([{ id: records[1]!._id, revision: 1, permits_for: requester, permits_left: 2 }]);
    expect(handled.map(({ id }) => id)).toEqual([0, 2, 3].map((index) => records[index]!._id));

    await sendPermits(requester, 1);
    const later = await untilEager();
    await eventually(
      () => reports().length > 1,
      () => 'another report about other permits',
    );
    expect(reports()[1]).toMatchObject({ id: later._id, permits_left: 0 });
  });

  it('keeps the permit while the only runner has free slots, and loses it once there is none', async () => {
    const { runner } = recordingRunner();
    let free = 3;
    executions.offerRunner({ reserve: (pool) => (free-- > 0 ? runner.reserve(pool) : undefined) });
    await receivePermits(1);
    await untilEager();
    const stored = async () => (await executions.get((await by(executions, ref))._id)).status;
    const seen = [await stored(), await stored(), await stored()];
    free = 3;
    seen.push(await stored());
    const [kept, lost] = [platform.store.isExclusive ? 'running' : 'requested', 'requested'];
    expect(seen).toEqual([kept, kept, lost, lost]);
  });

  it('gives back the slot if the request was recorded before', async () => {
    await by(executions, ref, { requestKey: 'k' });
    const { runner, calls } = recordingRunner();
    executions.offerRunner(runner);
    await receivePermits(2);
    await untilEager();
    await by(executions, ref, { requestKey: 'k' });
    expect(calls).toEqual(['start 2', 'release']);
  });

  it('the runner finds out the outcome if the store fails', async () => {
    const { runner, calls } = recordingRunner();
    executions.offerRunner(runner);
    await receivePermits(2);
    await untilEager();
    const prepared = await executions.prepare({ action: ref, user: 'ada' });
    await platform.store.close();
    await expect(prepared.submit()).rejects.toThrow();
    expect(calls).toEqual(['start 2', expect.stringMatching(/^find out/)]);
  });

  it.each([
    ['with a delay', { delay: 50 }],
    ['for another pool', { pool: 'gpu' }],
  ])('is left to the schedulers %s', async (_, request) => {
    await receivePermits(2);
    await untilEager();
    expect((await executions.get((await by(executions, ref, request))._id)).status).toBe('requested');
  });

  it('is left to the schedulers if a rule listens to a status in between', async () => {
    await receivePermits(3);
    await untilEager();
    const told = executionsOn(platform, {
      permits: {
        take: () => true,
        has: () => true,
        drop: () => undefined,
        requester: undefined,
        renewal: () => undefined,
      },
      isTold: (status) => status === 'running',
    });
    expect((await executions.get((await by(told, ref))._id)).status).toBe('requested');
  });
});

describe('a waiting execution', () => {
  const waiting = async () => executions.get((await by(executions, ref))._id);

  it('starts with the write that releases it if a runner of this process has a free slot', async () => {
    const [work, handled] = [await messagesWith('scheduled'), await messagesWith('handled.scheduled')];
    const { runner, calls } = recordingRunner();
    executions.offerRunner(runner);
    const requested = await waiting();
    const started = await executions.releaseEagerly(requested);
    expect(await executions.get(requested._id)).toEqual(started);
    expect(started).toMatchObject({
      status: 'running',
      revision: 3,
      slot: 'default',
      claim: { instance: 'me', host: 'here', pid: 7, number: 2 },
      runner_info: { hostname: 'here', pid: 7 },
    });
    expect(started).not.toHaveProperty('due');
    expect(statusesOf(started!)).toEqual(['requested', 'scheduled', 'running']);
    expect(calls).toEqual(['start 2']);
    await eventually(
      () => handled.length > 0,
      () => 'a message about the status in between',
    );
    expect(handled).toMatchObject([{ id: requested._id, status: 'scheduled', revision: 2 }]);
    expect(work).toEqual([]);
  });

  it('is unchanged without such a runner', async () => {
    expect(await executions.releaseEagerly(await waiting())).toBeUndefined();
  });

  it('is unchanged if it has changed since it was read', async () => {
    const { runner, calls } = recordingRunner();
    executions.offerRunner(runner);
    const requested = await waiting();
    const changed = await executions.transition(requested, 'delayed', { due: ['scheduler'] });
    expect(await executions.releaseEagerly(requested)).toBeUndefined();
    expect(await executions.get(requested._id)).toEqual(changed);
    expect(calls).toEqual(['release']);
  });

  it('is unchanged if a policy limits it, or a rule listens to a status in between', async () => {
    const { runner, calls } = recordingRunner();
    const told = executionsOn(platform, { isTold: (status) => status === 'scheduled' });
    for (const each of [executions, told]) each.offerRunner(runner);
    expect(await executions.releaseEagerly({ ...(await waiting()), limited: true })).toBeUndefined();
    expect(await told.releaseEagerly(await waiting())).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('the runner finds out the outcome if the store fails', async () => {
    const { runner, calls } = recordingRunner();
    executions.offerRunner(runner);
    const requested = await waiting();
    await platform.store.close();
    await expect(executions.releaseEagerly(requested)).rejects.toThrow();
    expect(calls).toEqual([expect.stringMatching(/^find out/)]);
  });
});

describe('permits', () => {
  it('expire', async () => {
    await receivePermits(5);
    await untilEager();
    aheadMs = VALID_MS;
    expect((await executions.get((await by(executions, ref))._id)).status).toBe('requested');
  });

  it('are revoked by a message without permits', async () => {
    const requester = await requesterOf();
    await sendPermits(requester, 500);
    await untilEager();
    await sendPermits(requester, 0);
    await eventually(
      async () => (await executions.get((await by(executions, ref))._id)).status === 'requested',
      () => 'no more permits',
    );
  });
});
