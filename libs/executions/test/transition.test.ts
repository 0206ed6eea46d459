import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deferred } from '@switchyard/base';
import { watchQueue, type ExecutionStatusMessage } from '@switchyard/messaging';
import {
  DUE_CONSUMERS,
  holdsSlot,
  isTerminal,
  mayMove,
  STATUSES,
  type ExecutionRecord,
  type Status,
} from '@switchyard/model';
import { createAnnouncer, transition, type TransitionOptions } from '@switchyard/executions';
import { anExecution, leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';

let platform: TestPlatform;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

const claim = { number: 1, instance: 'i1', host: 'h', pid: 1 };

async function stored(given: Partial<ExecutionRecord> = {}): Promise<ExecutionRecord> {
  return (await platform.store.executions.insert(anExecution(given))).record;
}

const inStatus = (status: Status, given: Partial<ExecutionRecord> = {}) =>
  stored({
    status,
    ...(holdsSlot(status) ? { slot: 'default' } : {}),
    ...(status === 'running' ? { claim } : {}),
    ...given,
  });

function move(record: ExecutionRecord, to: Status, options?: TransitionOptions) {
  const { store, bus, clock, logger } = platform;
  const announce = createAnnouncer(bus.publisher(), logger);
  return transition({ executions: store.executions, announce, clock }, record, to, options);
}

const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

describe('a transition', () => {
  it.each(pairs)('from %s to %s happens only if the table allows it', async (from, to) => {
    const record = await inStatus(from);
    const moved = await move(record, to);
    const now = await platform.store.executions.get(record._id);
    expect(moved !== undefined).toBe(mayMove(from, to));
    expect(now).toEqual(moved ?? record);
    if (moved) {
      expect(moved).toMatchObject({ status: to, revision: record.revision + 1 });
      expect(moved.log.map(({ status }) => status)).toEqual(['requested', to]);
      expect(moved.slot).toBe(holdsSlot(to) ? 'default' : undefined);
      expect(moved.end_timestamp !== undefined).toBe(isTerminal(to));
      if (isTerminal(to)) expect(moved.end_timestamp).toBe(moved.log.at(-1)?.timestamp);
    }
  });

  it('cannot extend the table by the statuses passed to it', async () => {
    const record = await inStatus('succeeded');
    expect(await move(record, 'running', { from: ['succeeded'] })).toBeUndefined();
  });

  it.each<[string, TransitionOptions, boolean]>([
    ['the right claim', { claim: { instance: 'i1', number: 1 } }, true],
    ['a later claim of the same process', { claim: { instance: 'i1', number: 2 } }, false],
    ['the claim of another process', { claim: { instance: 'i2', number: 1 } }, false],
    ['the right revision', { revision: 1 }, true],
    ['an old revision', { revision: 0 }, false],
    ['a narrower list of statuses', { from: ['requested'] }, false],
  ])('with %s: %p', async (_, options, happens) => {
    const record = await inStatus('running');
    expect((await move(record, 'succeeded', options)) !== undefined).toBe(happens);
  });

  it('happens once for many concurrent calls', async () => {
    const record = await inStatus('scheduled');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        move(record, 'running', { set: { runner_info: { hostname: 'h', pid: i } } }),
      ),
    );
    const moved = all.filter((result) => result !== undefined);
    expect(moved).toHaveLength(1);
    expect(await platform.store.executions.get(record._id)).toEqual(moved[0]);
  });

  it('removes the claim when no runner works on it any more', async () => {
    for (const to of ['requested', 'pending', 'paused', 'succeeded'] as const)
      expect((await move(await inStatus('running'), to))?.claim).toBeUndefined();
    expect((await move(await inStatus('running'), 'canceling'))?.claim).toEqual(claim);
  });

  it('is recognized as done if only its response was lost', async () => {
    const { store, bus, clock, logger } = platform;
    const announce = createAnnouncer(bus.publisher(), logger);
    const forgetful = {
      ...store.executions,
      change: async (...given: Parameters<typeof store.executions.change>) => {
        await store.executions.change(...given);
        return undefined;
      },
    };
    const record = await inStatus('scheduled');
    const moved = await transition({ executions: forgetful, announce, clock }, record, 'running');
    expect(moved).toMatchObject({ status: 'running', revision: 2 });
    // Another transition that comes too late does not happen.
    expect(await transition({ executions: forgetful, announce, clock }, record, 'running')).toBeUndefined();
  });

  it('is recognized as done if it is retried after an error, with the same time', async () => {
    const record = await inStatus('running');
    const at = platform.clock.nowMicros();
    await move(record, 'succeeded', { claim, at });
    expect(await move(record, 'succeeded', { claim, at })).toMatchObject({ status: 'succeeded', revision: 2 });
    expect(await move(record, 'succeeded', { claim })).toBeUndefined();
  });

  it('is announced', async () => {
    const record = await inStatus('running');
    const heard = deferred<ExecutionStatusMessage>();
    const consumer = await platform.bus.consume(
      watchQueue('liveaction.status', 'test', 'canceling'),
      { prefetch: 1, name: 'test' },
      async (message) => heard.resolve(message),
    );
    later(() => consumer.stop());
    await move(record, 'canceling');
    expect(await heard.promise).toMatchObject({ id: record._id, status: 'canceling', revision: 2 });
  });
});

describe('the service that acts next', () => {
  const given = { due: [...DUE_CONSUMERS], due_at: 1 };
  const notify = { 'on-complete': {} };

  it.each<[string, Status, Status, Partial<ExecutionRecord>, TransitionOptions, string[] | undefined]>([
    ['is none by default', 'scheduled', 'running', given, {}, undefined],
    ['is the named one', 'requested', 'scheduled', given, { due: ['action-runner'] }, ['action-runner']],
    ['is none at the end', 'running', 'succeeded', given, {}, undefined],
    ['is the notifier at the end with notifications', 'running', 'failed', { ...given, notify }, {}, ['notifier']],
    [
      'is the workflow engine at the end of a task',
      'running',
      'failed',
      { ...given, notify, workflow_execution: 'w' },
      {},
      ['workflow-engine', 'notifier'],
    ],
    [
      'does not include others at the end, regardless of the request',
      'running',
      'failed',
      {},
      { due: ['scheduler'] },
      undefined,
    ],
  ])('%s', async (_, from, to, fields, options, due) => {
    const moved = await move(await inStatus(from, fields), to, options);
    expect(moved?.due).toEqual(due);
    expect(moved?.due_at).toEqual(due && moved?.log.at(-1)?.timestamp);
  });
});

describe('the slots of a pool', () => {
  const paths: Status[][] = [
    ['scheduled', 'running', 'succeeded'],
    ['scheduled', 'running', 'failed'],
    ['scheduled', 'running', 'canceling', 'canceled'],
    ['scheduled', 'canceled'],
    ['scheduled', 'requested', 'scheduled', 'running', 'abandoned'],
    ['scheduled', 'running', 'requested', 'delayed'],
    ['scheduled', 'running', 'pending', 'succeeded'],
    ['scheduled', 'running', 'pausing', 'paused', 'resuming', 'running', 'timeout'],
    ['delayed', 'scheduled', 'running', 'paused', 'canceling', 'canceled'],
    ['canceled'],
  ];

  it.each(paths)('are counted correctly along %s %s %s %s %s', async (...path) => {
    const pool = 'edge';
    let record = await stored({ pool });
    for (const to of path.filter(Boolean)) {
      record = (await move(record, to))!;
      expect([to, await platform.store.executions.countActive(pool)]).toEqual([to, holdsSlot(to) ? 1 : 0]);
    }
    if (holdsSlot(record.status)) await move(record, 'failed');
    expect(await platform.store.executions.countActive(pool)).toBe(0);
  });
});

it('transition is the only code that writes a status', () => {
  const root = join(__dirname, '../../..');
  const sources = ['libs', 'services', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) => {
      const src = join(root, group, name, 'src');
      return readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => join(src, file));
    }),
  );
  const writers = sources
    .filter((file) => file.endsWith('.ts') && !file.includes('/testkit/') && !file.includes('/embedded/'))
    .filter((file) => /\bset:\s*\{[^}]*\bstatus\b/.test(readFileSync(file, 'utf8')))
    .map((file) => file.slice(root.length + 1));
  expect(writers).toEqual(['libs/executions/src/transition.ts']);
});

describe('claims at the same microsecond', () => {
  it.each([1, 5])('are made by one of two runners, %d at a time', async (count) => {
    const records = await Promise.all(Array.from({ length: count }, () => inStatus('scheduled')));
    const at = platform.clock.nowMicros();
    const claimed = await Promise.all(
      ['i1', 'i2'].flatMap((instance) =>
        records.map((record) => move(record, 'running', { at, set: { claim: { ...claim, instance } } })),
      ),
    );
    expect(claimed.filter((record) => record !== undefined)).toHaveLength(count);
  });
});
