import { newId } from '@switchyard/base';
import { PROCESS } from '@switchyard/host';
import { RUNNABLE_SERVICES, type InstanceRecord, type StatusProblem, type SystemStatus } from '@switchyard/model';
import { anExecution, anInstance } from '@switchyard/testkit/platform';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

const MINUTE_MICROS = 60_000_000;

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.close());
afterEach(async () => {
  await api.store.instances.clear();
  await api.store.executions.removeAll((await api.store.executions.list({ fields: ['_id'] })).map(({ _id }) => _id));
});

const status = async () => (await api.ada.get('status').expect(200)).body as SystemStatus;
const minutesAgo = (minutes: number) => Date.now() * 1000 - minutes * MINUTE_MICROS;

/** A process with these services, and the lease of its action runner if it has one. */
async function running(services: readonly string[], given: Partial<InstanceRecord> = {}, runner: object = {}) {
  const where = { host: 'east', pid: 17 };
  const record = { ...where, service: PROCESS, services: [...services], version: '1.2.3', ...given };
  await api.store.instances.register(anInstance(record));
  if (services.includes('action-runner')) await api.store.instances.register(anInstance({ ...where, ...runner }));
}

const waiting = (minutes: number, pool = 'default') =>
  api.store.executions.insert(
    anExecution({ pool, due: ['scheduler'], due_at: minutesAgo(minutes), schedule_at: minutesAgo(minutes) }),
  );
const holding = (pool: string) => api.store.executions.insert(anExecution({ pool, slot: pool, status: 'running' }));

it('shows processes with versions, slots and pools, leaders, unfinished executions, pools and queues', async () => {
  await running(RUNNABLE_SERVICES, {}, { slots: 10, pools: ['default', 'gpu'] });
  const timers = anInstance({ service: 'timers', host: 'east', pid: 17 });
  await api.store.instances.register(timers);
  await api.store.elections.take('timers', undefined, timers._id, 1_000_000);
  await waiting(0);
  await holding('gpu');
  await api.store.executions.insert(anExecution({ status: 'succeeded', due: ['notifier'], due_at: 1 }));
  const shown = await status();
  const replica = { id: expect.any(String), host: 'east', pid: 17, version: '1.2.3', started_at: expect.any(String) };
  expect(shown.services.map(({ service }) => service)).toEqual(RUNNABLE_SERVICES);
  expect(shown.services.find(({ service }) => service === 'scheduler')?.replicas).toEqual([replica]);
  expect(shown.services.find(({ service }) => service === 'action-runner')?.replicas).toEqual([
    { ...replica, slots: 10, pools: ['default', 'gpu'] },
  ]);
  expect(shown.leaders).toEqual([
    { leadership: 'timers', host: 'east', pid: 17, elected_at: '1970-01-01T00:00:01.000000Z' },
  ]);
  expect(shown.executions).toEqual([
    { status: 'requested', count: 1, oldest_at: expect.any(String) },
    { status: 'running', count: 1, oldest_at: expect.any(String) },
  ]);
  expect(shown.pools).toEqual([
    { pool: 'default', waiting: 1, oldest_at: expect.any(String), active: 0, slots: 10 },
    { pool: 'gpu', waiting: 0, active: 1, slots: 10 },
  ]);
  expect(shown.queues).toEqual([
    { service: 'action-runner', waiting: 0 },
    { service: 'workflow-engine', waiting: 0 },
    { service: 'notifier', waiting: 1 },
    { service: 'rules-engine', waiting: 0 },
  ]);
  expect(shown.problems).toEqual([]);
});

const problem = (given: Omit<StatusProblem, 'oldest_at'>, waits = true) => ({
  ...given,
  ...(waits && { oldest_at: expect.any(String) }),
});
const all = (slots = 2) => running(RUNNABLE_SERVICES, {}, { slots, pools: ['default'] });
const without = (missing: string) =>
  running(
    RUNNABLE_SERVICES.filter((service) => service !== missing),
    {},
    { slots: 2, pools: ['default'] },
  );

it.each<[string, () => Promise<unknown>, object]>([
  [
    'a service that nobody runs, with what waits for it',
    async () => [await without('scheduler'), await waiting(0), await waiting(0, 'workflows')],
    problem({
      kind: 'missing-service',
      message: 'No process runs the service scheduler: executions do not start. Waiting for it: 2.',
      service: 'scheduler',
    }),
  ],
  [
    'action runners that are all gone',
    async () => [
      await without('action-runner'),
      await api.store.executions.insert(anExecution({ status: 'scheduled', slot: 'default', due: ['action-runner'] })),
    ],
    problem(
      {
        kind: 'missing-service',
        message: 'No process runs the service action-runner: actions do not run. Waiting for it: 1.',
        service: 'action-runner',
      },
      false,
    ),
  ],
  [
    'workflows without an engine',
    async () => [await without('workflow-engine'), await waiting(0, 'workflows')],
    problem({
      kind: 'missing-service',
      message: 'No process runs the service workflow-engine: workflows do not proceed. Waiting for it: 1.',
      service: 'workflow-engine',
    }),
  ],
  [
    'processes of different versions',
    async () => [await all(), await running(['scheduler'], { pid: 18, version: '1.2.4' })],
    { kind: 'different-versions', message: 'Processes run different versions: 1.2.3 (1), 1.2.4 (1).' },
  ],
  [
    'a pool that no action runner serves',
    async () => [await all(), await waiting(0, 'gpu'), await holding('gpu')],
    problem({
      kind: 'unserved-pool',
      message: '1 execution waits for the pool "gpu", and no running action runner serves it; 1 had a slot there.',
      pool: 'gpu',
    }),
  ],
  [
    'executions that wait for a slot for long',
    async () => [await all(), await waiting(2), await waiting(3), await holding('default'), await holding('default')],
    problem({
      kind: 'full-pool',
      message: '2 executions wait for the pool "default": all of its 2 slots are in use.',
      pool: 'default',
    }),
  ],
  [
    'executions that wait for long without need',
    async () => [await all(), await waiting(2), await holding('default')],
    problem({
      kind: 'stuck-pool',
      message: '1 execution waits for the pool "default" although 1 of 2 slots are free.',
      pool: 'default',
    }),
  ],
])('reports %s', async (_, arrange, expected) => {
  await arrange();
  expect((await status()).problems).toEqual([expected]);
});

it('names events that no rules engine processes', async () => {
  const event = { trigger: 'tests.tick', payload: {}, status: 'pending' as const, due: ['rules-engine'] };
  const at = { occurrence_time: minutesAgo(2), due_at: minutesAgo(2) };
  const { record } = await api.store.triggerInstances.insertOnce({ _id: newId(), ...event, ...at });
  await all();
  const { queues, problems } = await status();
  expect(queues).toContainEqual({ service: 'rules-engine', waiting: 1, oldest_at: expect.any(String) });
  const message = 'Events wait for a rules engine: 1.';
  expect(problems).toEqual([problem({ kind: 'slow-queue', message, service: 'rules-engine' })]);
  await api.store.triggerInstances.change(record._id, ['pending'], { set: { status: 'processed' } });
});

it('reads as little with many ended executions as with none', async () => {
  await all();
  await waiting(0);
  const few = await api.examinedBy(status);
  for (let n = 0; n < 200; n++) await api.store.executions.insert(anExecution({ status: 'succeeded' }));
  expect(await api.examinedBy(status)).toBe(few);
});
