import { newId } from '@switchyard/base';
import { actionOfKey, History, requestKeyOf, taskIdOf, workflowIdOf, type Step } from '@switchyard/executions';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { Conductor, parseWorkflow } from '@switchyard/workflow';
import { executionsOn } from '../executions-fixture';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const spec = parseWorkflow(`
version: 1.0
vars:
  - word: hidden-word
tasks:
  one:
    action: tests.noop
    next:
      - do: two
  two:
    action: tests.noop
`);

const order = { task: 'one', route: 0, round: 1, attempt: 0, action: 'tests.noop', input: {} };

function firstStep(): { conductor: Conductor; step: Step } {
  const conductor = Conductor.create(spec);
  conductor.requestStatus('running');
  conductor.taskEvent({ task: 'one', route: 0, round: 1, attempt: 0, status: 'running' });
  return { conductor, step: { changes: conductor.takeChanges()!, orders: [order] } };
}

describe('the journal of a run', () => {
  it('gives back what was written, as a conductor that goes on', async () => {
    const { journal } = executionsOn(platform).workflows;
    const workflow = newId();
    const { conductor, step } = firstStep();
    const history = new History(false);
    expect(await journal.append(workflow, history, step)).toBe(true);
    conductor.taskEvent({ task: 'one', route: 0, round: 1, attempt: 0, status: 'succeeded', result: {} });
    expect(await journal.append(workflow, history, { changes: conductor.takeChanges()!, wish: 7 })).toBe(true);
    const read = await journal.read(workflow);
    expect(read).toMatchObject({ revision: 2, wish: 7 });
    expect(read!.order(order)).toMatchObject({ order });
    expect(read!.times.get('entry/0')).toMatchObject({ start: expect.any(Number), end: expect.any(Number) });
    const restored = Conductor.restore(spec, read!.takeSnapshot()!);
    expect(restored.nextTasks()).toEqual(conductor.nextTasks());
  });

  it('takes a step with a number once', async () => {
    const { journal } = executionsOn(platform).workflows;
    const workflow = newId();
    const { step } = firstStep();
    expect(await journal.append(workflow, new History(false), step)).toBe(true);
    const late = new History(false);
    expect(await journal.append(workflow, late, step)).toBe(false);
    expect(late.revision).toBe(0);
  });

  it('has large steps beside it, and nothing in clear', async () => {
    const { journal } = executionsOn(platform).workflows;
    const workflow = newId();
    const { step } = firstStep();
    const large = { ...step, orders: [{ ...order, input: { text: 'secret'.repeat(100_000) } }] };
    await journal.append(workflow, new History(false), large);
    const [record] = await platform.store.workflows.journal(workflow);
    expect(record).toMatchObject({ revision: 1, step_blob: { parts: 1 } });
    expect(record).not.toHaveProperty('step');
    const sealed = await platform.store.blobs.get(record!.step_blob!);
    expect(sealed).not.toContain('secretsecret');
    expect((await journal.read(workflow))!.order(order)!.order.input).toEqual(large.orders[0]!.input);
  });

  it('is not there for a run that has not begun', async () => {
    expect(await executionsOn(platform).workflows.journal.read(newId())).toBeUndefined();
  });
});

it.each([
  { task: 'plain', route: 0, round: 1, attempt: 0 },
  { task: 'with:colons', route: 3, round: 2, attempt: 4, item: 17 },
])('the key of a request says which action it is for: %j', (action) => {
  expect(actionOfKey(requestKeyOf(newId(), action))).toEqual(action);
});

it('other keys are of no action', () => {
  expect(actionOfKey('6b00e5d1bdf70f6e3570dc72:rule')).toBeUndefined();
  expect(actionOfKey('')).toBeUndefined();
});

it('names follow from what they are about', () => {
  const [execution, other] = [newId(), newId()];
  expect(workflowIdOf(execution)).toMatch(/^[0-9a-f]{24}$/);
  expect(workflowIdOf(execution)).not.toBe(workflowIdOf(other));
  expect(taskIdOf(execution, { task: 'a', route: 0, round: 1 })).not.toBe(
    taskIdOf(execution, { task: 'a', route: 0, round: 2 }),
  );
});
