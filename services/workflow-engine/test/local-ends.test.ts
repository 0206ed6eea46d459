import type { Executions } from '@switchyard/executions';
import { DUE_FOR_ENGINE, watchQueue } from '@switchyard/messaging';
import type { ExecutionRecord } from '@switchyard/model';
import { anExecution, eventually, leakCheck } from '@switchyard/testkit/system';
import { createLocalEnds } from '../src/local-ends';
import { workflowSystem, type WorkflowSystem } from './support/workflow-system';

const later = leakCheck();

async function started(options = {}): Promise<WorkflowSystem> {
  const system = await workflowSystem(options);
  later(() => system.close());
  return system;
}

/** Collects the messages about executions that some service has to act on. */
async function commandsIn({ platform }: WorkflowSystem): Promise<{ id: string; status: string }[]> {
  const seen: { id: string; status: string }[] = [];
  const options = { prefetch: 50, name: 'test' };
  await platform.bus.consume(watchQueue('execution', 'test', 'update', DUE_FOR_ENGINE), options, (message) => {
    seen.push(message);
    return Promise.resolve();
  });
  return seen;
}

/** None if nobody else uses the store; otherwise one of each of so many executions. */
async function commandsCome(
  { platform }: WorkflowSystem,
  commands: { id: string; status: string }[],
  matches: (command: { id: string; status: string }) => boolean,
  executions: number,
): Promise<void> {
  const expected = platform.store.isExclusive ? 0 : executions;
  const seen = () => new Set(commands.filter(matches).map(({ id }) => id)).size;
  await eventually(
    () => seen() >= expected,
    () => `commands of ${expected} executions, so far of ${seen()}`,
  );
  expect(seen()).toBe(expected);
}

const MANUAL = 'version: 1.0\ntasks:\n  wait:\n    action: tests.manual\n';

it('the engine of the same process receives the end of an action without a message, if no other process uses the store', async () => {
  const system = await started();
  const commands = await commandsIn(system);
  await system.workflow('waiting', MANUAL);
  const { _id: id } = await system.request({ action: 'tests.waiting' });
  const [run] = await system.manual.runs.until(1);
  run!.end();
  expect((await system.untilStatus(id)).status).toBe('succeeded');
  // With servers, the mark is removed after the workflow has ended.
  await eventually(
    async () => (await system.executions.get(run!.request.executionId)).due === undefined,
    () => 'the action to be no longer due',
  );
  await commandsCome(system, commands, ({ id: of }) => of === run!.request.executionId, 1);
});

it('it receives many ends at once in the same way', async () => {
  const ITEMS = 70;
  // An engine whose lease runs out on a busy machine drops its runs.
  const overrides = { instances: { lease_ms: 600_000 } };
  const system = await started({ overrides, runners: [{ slots: ITEMS + 1 }] });
  const commands = await commandsIn(system);
  const task = `  many:\n    with: <% range(${ITEMS}) %>\n    action: tests.manual\n`;
  await system.workflow('many', `version: 1.0\ntasks:\n${task}`);
  const { _id: id } = await system.request({ action: 'tests.many' });
  (await system.manual.runs.until(ITEMS)).forEach((run) => run.end());
  expect((await system.untilStatus(id)).status).toBe('succeeded');
  await commandsCome(system, commands, (command) => command.id !== id && command.status === 'succeeded', ITEMS);
});

describe('the end of an action that its run does not process', () => {
  type Registry = Parameters<typeof createLocalEnds>[0]['registry'];
  const processing: Registry = { has: () => true, tell: () => Promise.resolve() };
  const failing: Registry = { has: () => true, tell: () => Promise.reject(new Error('out of order')) };

  /** Has the run when the action ends, and drops it before the run gets the end. */
  function dropping(): Registry {
    const answers = [true];
    return { ...processing, has: () => answers.pop() ?? false };
  }

  /** Ends an action of a run that is in memory as far as anybody can see. */
  async function ended(system: WorkflowSystem, registry: Registry, stops: boolean): Promise<ExecutionRecord> {
    const { store, clock, logger, metrics } = system.platform;
    const engine = { clock, logger, metrics, executions: system.executions };
    const ends = createLocalEnds({ engine, registry });
    ends.start();
    const record = anExecution({ status: 'running', workflow_execution: 'w' });
    await store.executions.insert(record);
    const ending = system.executions.transition(record, 'succeeded');
    if (stops) ends.kill();
    await ending;
    await ends.stop();
    return system.executions.get(record._id);
  }

  it.each([
    ['because its turn fails', failing, false],
    ['because the run is no longer in memory', dropping(), false],
    ['because the engine has stopped', processing, true],
  ])('is due for any engine %s', async (_, registry, stops) => {
    const system = await started({ engines: 0 });
    const commands = await commandsIn(system);
    const { _id: id, due } = await ended(system, registry, stops);
    expect(due).toEqual(['workflow-engine']);
    await eventually(
      () => commands.some((command) => command.id === id),
      () => 'a message for the engines',
    );
  });
});

it('an engine that has stopped takes no ends', async () => {
  const system = await started({ engines: 0 });
  const { clock, logger, metrics } = system.platform;
  const offers: string[] = [];
  const executions: Executions = {
    ...system.executions,
    offerEngine: () => {
      offers.push('offered');
      return () => void offers.push('withdrawn');
    },
  };
  const engine = { clock, logger, metrics, executions };
  const registry = { has: () => true, tell: () => Promise.resolve() };
  const ends = createLocalEnds({ engine, registry });
  ends.start();
  await ends.stop();
  ends.kill();
  expect(offers).toEqual(['offered', 'withdrawn']);
});
