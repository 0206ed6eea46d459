import { createExecutions, createInquiries, type Executions } from '@switchyard/executions';
import { leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from '../support/workflow-system';

const later = leakCheck();

async function started(): Promise<WorkflowSystem> {
  const system = await workflowSystem();
  later(() => system.close());
  await system.workflow('two', TWO);
  await system.workflow('asking', ASKING);
  await system.register({ name: 'ask', runner_type: 'inquirer' });
  return system;
}

const TWO = `
version: 1.0
tasks:
  first:
    action: tests.manual
    next:
      - do: second
  second:
    action: tests.manual
`;

const ASKING = `
version: 1.0
tasks:
  ask:
    action: tests.ask
    next:
      - do: after
  after:
    action: tests.manual
`;

/** Stores the control request and delays its message, so the engine receives everything else first. */
const withLateMessages = ({ platform: { store, sealer, clock, logger } }: WorkflowSystem): Executions => {
  const publisher = { publish: async () => undefined, publishAll: async () => undefined };
  return createExecutions({ store, sealer, clock, logger, publisher, webUrl: 'http://web' });
};

/** A workflow whose action of this number is running. */
async function running(system: WorkflowSystem, count = 1) {
  const { _id: id } = await system.request({ action: 'tests.two' });
  for (let at = 1; at < count; at++) (await system.manual.runs.until(at))[at - 1]!.end();
  const run = (await system.manual.runs.until(count))[count - 1]!;
  await system.untilStatus(id, 'running');
  return { id, run };
}

describe('a control request that arrives after the end of an action', () => {
  it('takes effect: a pause lets nothing new start', async () => {
    const system = await started();
    const { id, run } = await running(system);
    const { status } = await withLateMessages(system).update(id, { status: 'pausing' }, 'bob');
    expect(status).toBe('pausing');
    run.end();
    await system.untilStatus(id, 'paused');
    expect(await system.children(id)).toMatchObject([{ status: 'succeeded' }]);
    await system.executions.update(id, { status: 'resuming' }, 'bob');
    (await system.manual.runs.until(2))[1]!.end();
    expect((await system.untilStatus(id)).status).toBe('succeeded');
  });

  it('takes effect after the last action: once resumed, the workflow has succeeded', async () => {
    const system = await started();
    const { id, run } = await running(system, 2);
    await withLateMessages(system).update(id, { status: 'pausing' }, 'bob');
    run.end();
    await system.untilStatus(id, 'paused');
    await system.executions.update(id, { status: 'resuming' }, 'bob');
    expect((await system.untilStatus(id)).status).toBe('succeeded');
  });

  it('takes effect when it is a cancel', async () => {
    const system = await started();
    const { id, run } = await running(system);
    await withLateMessages(system).cancel(id, 'bob');
    run.end();
    expect((await system.untilStatus(id)).status).toBe('canceled');
    expect(await system.children(id)).toHaveLength(1);
  });
});

/** A workflow that is paused by an open inquiry. */
async function asked(system: WorkflowSystem) {
  const { _id: id } = await system.request({ action: 'tests.asking' });
  await system.untilStatus(id, 'paused');
  const [question] = await system.children(id);
  const inquiries = createInquiries(system.executions);
  const answer = () => inquiries.respond(question!._id, { continue: true }, { user: 'bob' });
  return { id, answer };
}

describe('a workflow whose inquiry was answered', () => {
  it('is running, and can be paused', async () => {
    const system = await started();
    const { id, answer } = await asked(system);
    await answer();
    const [run] = await system.manual.runs.until(1);
    await system.untilStatus(id, 'running');
    await system.executions.update(id, { status: 'pausing' }, 'bob');
    run!.end();
    await system.untilStatus(id, 'paused');
    await system.executions.update(id, { status: 'resuming' }, 'bob');
    expect((await system.untilStatus(id)).status).toBe('succeeded');
  });

  it('continues if a resume was requested as well', async () => {
    const system = await started();
    const { id, answer } = await asked(system);
    await withLateMessages(system).update(id, { status: 'resuming' }, 'bob');
    await answer();
    (await system.manual.runs.until(1))[0]!.end();
    expect((await system.untilStatus(id)).status).toBe('succeeded');
    expect(await system.children(id)).toHaveLength(2);
  });
});
