import { engineQueue } from '@switchyard/messaging';
import { anInstance, eventually, keepAlive, leakCheck } from '@switchyard/testkit/system';
import { workflowIdOf } from '@switchyard/workflow-runs';
import { workflowSystem, type WorkflowSystem } from './support/workflow-system';

const later = leakCheck();

async function started(options = {}): Promise<WorkflowSystem> {
  const system = await workflowSystem({
    overrides: { instances: { heartbeat_ms: 100, lease_ms: 1000 }, sweep: { interval_ms: 100, older_than_ms: 200 } },
    ...options,
  });
  later(() => system.close());
  return system;
}

const FORK = `
version: 1.0
vars:
  - n: 0
tasks:
  start:
    action: tests.noop
    next:
      - do: [left, right, many]
  left:
    action: tests.manual
    next:
      - do: joined
  right:
    action: tests.noop
    next:
      - do: joined
  many:
    with: <% range(20) %>
    action: tests.noop
    next:
      - do: joined
  joined:
    join: all
    action: tests.manual
output:
  - state: <% task(joined).status %>
`;

const keysOf = async (system: WorkflowSystem, id: string) =>
  (await system.children(id)).map(({ request_key: key }) => key);

describe('a workflow whose engine died', () => {
  it('is continued by another engine, at every point', async () => {
    const system = await started({ engines: 2 });
    await system.workflow('fork', FORK);
    const { _id: id } = await system.request({ action: 'tests.fork' });
    const [left] = await system.manual.runs.until(1);
    await system.engines[0]!.kill();
    left!.end();
    const [, joined] = await system.manual.runs.until(2);
    await system.addEngine();
    await system.engines[1]!.kill();
    joined!.end();
    expect(await system.shown(await system.untilStatus(id))).toEqual({
      status: 'succeeded',
      result: { output: { state: 'succeeded' } },
    });
    const keys = await keysOf(system, id);
    expect(keys).toHaveLength(24);
    expect(new Set(keys).size).toBe(24);
  });

  it('starts when an engine is available again, and receives the events that it missed', async () => {
    const system = await started({ engines: 0 });
    await system.workflow('fork', FORK);
    const { _id: id } = await system.request({ action: 'tests.fork' });
    await system.untilStatus(id, 'scheduled');
    const first = await system.addEngine();
    const [left] = await system.manual.runs.until(1);
    await first.kill();
    left!.end();
    await system.untilStatus(left!.request.executionId);
    await system.addEngine();
    (await system.manual.runs.until(2))[1]!.end();
    expect((await system.untilStatus(id)).status).toBe('succeeded');
  });
});

it('a workflow that another engine has begun is left to it as long as it lives', async () => {
  const system = await started({ engines: 0 });
  const { store, bus } = system.platform;
  await system.workflow('short', 'version: 1.0\ntasks: { only: { action: tests.noop } }');
  const { _id: id } = await system.request({ action: 'tests.short' });
  await system.untilStatus(id, 'scheduled');
  const other = anInstance({ service: 'workflow-engine', host: 'elsewhere' });
  await store.instances.register(other);
  const stopBeating = keepAlive(store, other._id, 100);
  later(stopBeating);
  const forwarded: string[] = [];
  const consumer = await bus.consume(engineQueue(other._id), { prefetch: 9, name: 'test' }, async (message) => {
    forwarded.push(message.id);
  });
  later(() => consumer.stop());
  const options = { notify: [], skip_notify: [], display_published: true };
  const [owner, started_at] = [other._id, system.platform.clock.nowMicros()];
  const run = { _id: workflowIdOf(id), execution: id, definition: 'd', parameters: [], depth: 0 };
  await store.workflows.insert({ ...run, options, owner, open: true, started_at });
  await system.addEngine();
  await eventually(
    () => forwarded.includes(id),
    () => 'a message to the other engine',
  );
  expect((await system.executions.get(id)).status).toBe('scheduled');
  await stopBeating();
  expect((await system.untilStatus(id)).status).toBe('succeeded');
});

it('several engines share many workflows', async () => {
  const system = await started({ engines: 3 });
  await system.workflow('fork', FORK.replaceAll('tests.manual', 'tests.noop'));
  const requests = await Promise.all(Array.from({ length: 6 }, () => system.request({ action: 'tests.fork' })));
  for (const { _id: id } of requests) {
    expect((await system.untilStatus(id)).status).toBe('succeeded');
    expect(new Set(await keysOf(system, id)).size).toBe(24);
  }
});
