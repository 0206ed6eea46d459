import { eventually, leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from '../support/workflow-system';

const later = leakCheck();

async function started(options = {}): Promise<WorkflowSystem> {
  const system = await workflowSystem(options);
  later(() => system.close());
  return system;
}

const linesOf = async ({ platform }: WorkflowSystem, id: string): Promise<string[]> => {
  const chunks = await platform.store.output.read(id);
  return chunks
    .map(({ data }) => data)
    .join('')
    .replace(/"[0-9a-f]{24}"/, 'ID')
    .trimEnd()
    .split('\n');
};

const DECIDING = `
version: 1.0
tasks:
  first:
    action: tests.noop
    next:
      - do: [left, right]
  left:
    action: tests.shell
    input: {cmd: exit 1}
    next:
      - when: <% failed() %>
        do: many
  right:
    action: tests.noop
  many:
    with: {items: <% range(3) %>, concurrency: 3}
    action: tests.noop
`;

it('writes its decisions to its output, in order, until its end', async () => {
  const system = await started();
  await system.workflow('deciding', DECIDING);
  const { _id: id } = await system.request({ action: 'tests.deciding' });
  await system.untilStatus(id);
  const lines = await linesOf(system, id);
  expect(lines.slice(0, 3)).toEqual([
    'Workflow execution ID is created.',
    'Identified the following set of tasks to execute next: first (route 0)',
    'Requesting execution for task "first", route "0".',
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      'Identified the following set of tasks to execute next: left (route 0), right (route 0)',
      'Task "left", route "0" has ended with status "failed".',
      'Requesting execution for task "many", route "0" (3 of 3 items).',
      'Task "many", route "0" has ended with status "succeeded".',
      'No tasks identified to execute next.',
    ]),
  );
  expect(lines.at(-1)).toBe('The workflow execution is completed with status "succeeded".');
});

const WAITING = `
version: 1.0
tasks:
  wait:
    action: tests.manual
    next:
      - do: after
  after:
    action: tests.noop
`;

it('appends its lines after those of a dead engine', async () => {
  const system = await started({
    engines: 2,
    overrides: { instances: { heartbeat_ms: 100, lease_ms: 1000 }, sweep: { interval_ms: 100, older_than_ms: 200 } },
  });
  await system.workflow('waiting', WAITING);
  const { _id: id } = await system.request({ action: 'tests.waiting' });
  const [wait] = await system.manual.runs.until(1);
  await Promise.all(system.engines.map((engine) => engine.kill()));
  await system.addEngine();
  wait!.end();
  await system.untilStatus(id);
  expect(await linesOf(system, id)).toEqual([
    'Workflow execution ID is created.',
    'Identified the following set of tasks to execute next: wait (route 0)',
    'Requesting execution for task "wait", route "0".',
    'Task "wait", route "0" has ended with status "succeeded".',
    'Identified the following set of tasks to execute next: after (route 0)',
    'Requesting execution for task "after", route "0".',
    'Task "after", route "0" has ended with status "succeeded".',
    'No tasks identified to execute next.',
    'The workflow execution is completed with status "succeeded".',
  ]);
});

it('writes a request soon, with a time before that of the action', async () => {
  const system = await started();
  await system.workflow('waiting', WAITING);
  const { _id: id } = await system.request({ action: 'tests.waiting' });
  const [wait] = await system.manual.runs.until(1);
  await eventually(
    async () => (await linesOf(system, id)).at(-1) === 'Requesting execution for task "wait", route "0".',
    () => 'the line about the action that runs',
  );
  const [line] = (await system.platform.store.output.read(id)).slice(-1);
  const action = await system.executions.get(wait!.request.executionId);
  expect(line!.timestamp).toBeLessThanOrEqual(action.start_timestamp);
  wait!.end();
  await system.untilStatus(id);
});

it('writes that it is paused and that it resumes', async () => {
  const system = await started();
  await system.workflow('waiting', WAITING);
  const { _id: id } = await system.request({ action: 'tests.waiting' });
  const [wait] = await system.manual.runs.until(1);
  await system.executions.update(id, { status: 'pausing' }, 'anna');
  await system.untilHeard(id);
  wait!.end();
  await system.untilStatus(id, 'paused');
  await system.executions.update(id, { status: 'resuming' }, 'anna');
  await system.untilStatus(id);
  const told = (await linesOf(system, id)).filter((line) => line.startsWith('The status'));
  expect(told).toContain('The status of the workflow execution is "paused".');
  expect(told.at(-1)).toMatch(/"(resuming|running)"/);
});

it('writes nothing when output is not stored', async () => {
  const system = await started({ overrides: { actionrunner: { stream_output: false } } });
  await system.workflow('waiting', WAITING.replace('tests.manual', 'tests.noop'));
  const { _id: id } = await system.request({ action: 'tests.waiting' });
  await system.untilStatus(id);
  expect(await linesOf(system, id)).toEqual(['']);
});
