import { newId } from '@switchyard/base';
import type { Executions, StatusUpdate } from '@switchyard/executions';
import { watchQueue, type RunnerControlMessage } from '@switchyard/messaging';
import { holdsSlot, isTerminal, STATUSES, type Status } from '@switchyard/model';
import { anExecution, leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { gathered } from '@switchyard/testkit';
import { by, executionsOn, register } from './executions-fixture';

let platform: TestPlatform;
let executions: Executions;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  executions = executionsOn(platform);
});

const claim = { number: 1, instance: newId(), host: 'h', pid: 1 };

async function inStatus(status: Status) {
  const slot = holdsSlot(status) ? { slot: 'default' } : {};
  const { record } = await platform.store.executions.insert(anExecution({ status, ...slot, claim }));
  return record;
}

describe('canceling', () => {
  const ends: Record<Status, Status> = {
    requested: 'canceled',
    scheduled: 'canceled',
    delayed: 'canceled',
    pending: 'canceled',
    paused: 'canceled',
    running: 'canceling',
    pausing: 'canceling',
    resuming: 'canceling',
    canceling: 'canceling',
    succeeded: 'succeeded',
    failed: 'failed',
    timeout: 'timeout',
    abandoned: 'abandoned',
    canceled: 'canceled',
  };

  it.each(STATUSES)('moves a %s execution to the right status', async (status) => {
    const record = await inStatus(status);
    const after = await executions.cancel(record._id, 'bob');
    expect(after.status).toBe(ends[status]);
    if (ends[status] === status) return expect(after).toEqual(record);
    expect(after.context['cancelled_by']).toBe('bob');
    expect(await executions.results.load(after, true)).toEqual({ message: 'Action canceled by user.', user: 'bob' });
    expect(after.due).toEqual(after.status === 'canceling' ? ['action-runner'] : undefined);
    expect(after.slot).toBe(after.status === 'canceling' ? 'default' : undefined);
  });

  it('returns a 404 for an unknown execution', () =>
    expect(executions.cancel(newId(), 'bob')).rejects.toMatchObject({ status: 404 }));

  it('happens once for many concurrent calls', async () => {
    const record = await inStatus('running');
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => executions.cancel(record._id, `user${i}`)));
    expect(new Set(all.map(({ revision }) => revision))).toEqual(new Set([2]));
    expect((await executions.get(record._id)).log.map(({ status }) => status)).toEqual(['requested', 'canceling']);
  });
});

describe('an update to', () => {
  const ok = (to: Status) => (isTerminal(to) ? to : undefined);

  it.each<[Status, Status, Status | RegExp]>([
    ...STATUSES.filter(isTerminal).map(
      (from) => [from, 'running', /already in completed state/] as [Status, Status, RegExp],
    ),
    ...STATUSES.filter((to) => ok(to) && to !== 'canceled').map(
      (to) => ['running', to, to] as [Status, Status, Status],
    ),
    ['running', 'canceled', 'canceling'],
    ['running', 'canceling', 'canceling'],
    ['canceling', 'canceling', 'canceling'],
    ['canceling', 'canceled', 'canceled'],
    ['delayed', 'succeeded', 'succeeded'],
    ['delayed', 'canceled', 'canceled'],
    ['pending', 'succeeded', 'succeeded'],
    ['running', 'running', 'running'],
    ['requested', 'running', /"requested" cannot become "running"/],
    ['running', 'scheduled', /"running" cannot become "scheduled"/],
    ['canceling', 'abandoned', 'abandoned'],
    ['running', 'pausing', /Unable to pause liveaction .* not supported by the "manual" runner/],
    ['running', 'paused', /Unable to pause/],
    ['running', 'resuming', /Unable to resume/],
  ])('%s → %s: %p', async (from, to, expected) => {
    const record = await inStatus(from);
    const update = executions.update(record._id, { status: to }, 'bob');
    if (expected instanceof RegExp) {
      await expect(update).rejects.toMatchObject({ status: 400, message: expect.stringMatching(expected) });
      expect(await executions.get(record._id)).toEqual(record);
    } else expect((await update).status).toBe(expected);
  });

  it('a final status stores a result and tells the runner to stop', async () => {
    const told = gathered<RunnerControlMessage>();
    const queue = watchQueue('actionrunner.control', 'test', claim.instance);
    const consumer = await platform.bus.consume(queue, { prefetch: 1, name: 'test' }, async (message) =>
      told.add(message),
    );
    later(() => consumer.stop());
    const record = await inStatus('running');
    const update: StatusUpdate = { status: 'succeeded', result: { by: 'hand' } };
    const after = await executions.update(record._id, update, 'bob');
    expect(await executions.results.load(after, true)).toEqual({ by: 'hand' });
    expect(after.claim).toBeUndefined();
    expect((await told.until(1))[0]).toMatchObject({ id: record._id, verb: 'cancel', claim: 1 });
  });
});

describe('a rerun', () => {
  it('starts with the old parameters, or with none', async () => {
    const ref = await register(platform, { parameters: { a: {}, b: {} } });
    const old = await by(executions, ref, {
      parameters: { a: 1, b: 2 },
      priority: 3,
      context: { secret_of: 'caller' },
    });
    const again = await executions.rerun(old._id, { user: 'bob', parameters: { b: 5 }, delay: 10 });
    expect(again).toMatchObject({ parameters: { a: 1, b: 5 }, priority: 3, delay: 10 });
    const trace = (await executions.traces.ofExecution(old)).id_;
    const context = { user: 'bob', pack: 'tests', 're-run': { ref: old._id }, trace_context: { id_: trace } };
    expect(again.context).toEqual(context);
    const bare = await executions.rerun(old._id, { user: 'bob', parameters: { b: 5 }, noMerge: true });
    expect(bare.parameters).toEqual({ b: 5 });
  });

  it('uses the old values unchanged, even if they look like templates', async () => {
    const ref = await register(platform, { parameters: { a: {}, b: {} } });
    const old = await by(executions, ref, { parameters: { a: '{{ b }}', b: 2 }, literal: ['a'] });
    expect(old.parameters).toEqual({ a: '{{ b }}', b: 2 });
    const again = await executions.rerun(old._id, { user: 'bob', parameters: { b: '{{ a }}!' } });
    expect(again.parameters).toEqual({ a: '{{ b }}', b: '{{ b }}!' });
  });

  it.each<[string, object, string]>([
    [
      'tasks of an action that is not a workflow',
      { tasks: ['a'] },
      'Task option is only supported for Orquesta workflows.',
    ],
    ['tasks and parameters', { tasks: ['a'], parameters: { x: 1 } }, 'Parameters override is not supported'],
    ['the reset of tasks that are not rerun', { reset: ['b'] }, 'List of tasks to reset does not match'],
  ])('refuses %s', async (_, rerun, text) => {
    const old = await by(executions, await register(platform));
    await expect(executions.rerun(old._id, { user: 'ada', ...rerun })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(text),
    });
  });

  it('returns a 404 for an unknown execution', () =>
    expect(executions.rerun(newId(), { user: 'ada' })).rejects.toMatchObject({ status: 404 }));
});
