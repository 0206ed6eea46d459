import type { Status } from '@switchyard/model';
import { anExecution, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { executionsOn } from './executions-fixture';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

/** The execution of a workflow, in a status. */
async function workflowIn(status: Status) {
  const { record } = await platform.store.executions.insert(anExecution({ status, action_is_workflow: true }));
  return { executions: executionsOn(platform), id: record._id };
}

describe('a workflow', () => {
  it('that is running gets a request to pause, with the requester', async () => {
    const { executions, id } = await workflowIn('running');
    const asked = await executions.update(id, { status: 'pausing' }, 'bob');
    expect(asked).toMatchObject({ status: 'pausing', due: ['workflow-engine'], context: { paused_by: 'bob' } });
    expect(asked).not.toHaveProperty('slot');
  });

  it('that is paused gets a request to resume', async () => {
    const { executions, id } = await workflowIn('paused');
    const asked = await executions.update(id, { status: 'resuming' }, 'bob');
    expect(asked).toMatchObject({ status: 'resuming', due: ['workflow-engine'], context: { resumed_by: 'bob' } });
  });

  it.each([
    ['pausing', 'pausing'],
    ['pausing', 'paused'],
    ['resuming', 'resuming'],
  ] as const)('does not change at a request for %s while it is %s', async (asked, status) => {
    const { executions, id } = await workflowIn(status);
    const before = await executions.get(id);
    expect(await executions.update(id, { status: asked }, 'bob')).toEqual(before);
  });

  it.each([
    ['pausing', 'requested', /Unable to pause liveaction ".*" because it is not in a running state/],
    ['resuming', 'running', /because it is in "running" state and not in "paused" state/],
    ['resuming', 'pausing', /because it is in "pausing" state and not in "paused" state/],
  ] as const)('refuses %s while it is %s', async (asked, status, message) => {
    const { executions, id } = await workflowIn(status);
    await expect(executions.update(id, { status: asked }, 'bob')).rejects.toThrow(message);
  });

  it.each(['running', 'paused'] as const)('that is %s is canceled by its engine', async (status) => {
    const { executions, id } = await workflowIn(status);
    expect(await executions.cancel(id, 'bob')).toMatchObject({ status: 'canceling', due: ['workflow-engine'] });
  });

  it.each(['canceling', 'canceled'] as const)(
    'that is being canceled does not change at a request for %s',
    async (asked) => {
      const { executions, id } = await workflowIn('canceling');
      const before = await executions.get(id);
      expect(await executions.update(id, { status: asked }, 'bob')).toEqual(before);
    },
  );

  it('that has not started is canceled at once', async () => {
    const { executions, id } = await workflowIn('scheduled');
    expect(await executions.cancel(id, 'bob')).toMatchObject({ status: 'canceled' });
  });
});
