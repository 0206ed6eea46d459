import { KIB, newId } from '@switchyard/base';
import { storeRotation } from '@switchyard/storage';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { Conductor, parseWorkflow } from '@switchyard/workflow';
import {
  actionOfKey,
  createWorkflowJournal,
  History,
  requestKeyOf,
  taskIdOf,
  workflowIdOf,
  type JournalStep,
} from '@switchyard/workflow-runs';

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

const command = { task: 'one', route: 0, round: 1, attempt: 0, action: 'tests.noop', input: {} };

function firstStep(): { conductor: Conductor; step: JournalStep } {
  const conductor = Conductor.create(spec);
  conductor.requestStatus('running');
  conductor.taskEvent({ task: 'one', route: 0, round: 1, attempt: 0, status: 'running' });
  return { conductor, step: { changes: conductor.takeChanges()!, commands: [command] } };
}

describe('the journal of a run', () => {
  it('restores a conductor that continues the run', async () => {
    const journal = createWorkflowJournal(platform);
    const workflow = newId();
    const { conductor, step } = firstStep();
    const history = new History(false);
    expect(await journal.append(workflow, history, step)).toBe(true);
    conductor.taskEvent({ task: 'one', route: 0, round: 1, attempt: 0, status: 'succeeded', result: {} });
    expect(await journal.append(workflow, history, { changes: conductor.takeChanges()!, controlRevision: 7 })).toBe(
      true,
    );
    const read = await journal.read(workflow);
    expect(read).toMatchObject({ revision: 2, controlRevision: 7 });
    expect(read!.command(command)).toMatchObject({ command });
    expect(read!.times.get('entry/0')).toMatchObject({ start: expect.any(Number), end: expect.any(Number) });
    const restored = Conductor.restore(spec, read!.takeSnapshot()!);
    expect(restored.nextTasks()).toEqual(conductor.nextTasks());
  });

  it('is read although a rotation of keys replaces a large step meanwhile', async () => {
    const { store, recordKeys, clock, config, paths } = platform;
    const workflow = newId();
    const { step } = firstStep();
    const large = { ...step, commands: [{ ...command, input: { text: 'x'.repeat(300 * KIB) } }] };
    await createWorkflowJournal(platform).append(workflow, new History(false), large);
    const advance = storeRotation({
      ...{ store, recordKeys, config, paths, nowMicros: clock.nowMicros, graceMs: 0 },
      itemResealer: async () => undefined,
      holders: async () => [],
    });
    const rotate = async () => {
      await store.keyRotations.begin('ada', clock.nowMicros());
      while ((await advance()) === 'more');
    };
    const journal = async (id: string) => {
      const read = await store.workflows.journal(id);
      await rotate();
      return read;
    };
    const reader = createWorkflowJournal({
      ...platform,
      store: { ...store, workflows: { ...store.workflows, journal } },
    });
    expect((await reader.read(workflow))!.command(command)).toMatchObject({ command: large.commands[0] });
    expect(await store.keyRotations.last()).toMatchObject({ stage: 'resealed' });
    expect((await store.keyRotations.last())!.resealed).toBeGreaterThan(0);
  });

  it('stores a step number once', async () => {
    const journal = createWorkflowJournal(platform);
    const workflow = newId();
    const { step } = firstStep();
    expect(await journal.append(workflow, new History(false), step)).toBe(true);
    const late = new History(false);
    expect(await journal.append(workflow, late, step)).toBe(false);
    expect(late.revision).toBe(0);
  });

  it('stores large steps outside the record, all encrypted', async () => {
    const journal = createWorkflowJournal(platform);
    const workflow = newId();
    const { step } = firstStep();
    const large = { ...step, commands: [{ ...command, input: { text: 'secret'.repeat(100_000) } }] };
    await journal.append(workflow, new History(false), large);
    const [record] = await platform.store.workflows.journal(workflow);
    expect(record).toMatchObject({ revision: 1, step_blob: { parts: 1 } });
    expect(record).not.toHaveProperty('step');
    const sealed = await platform.store.blobs.get(record!.step_blob!);
    expect(sealed).not.toContain('secretsecret');
    expect((await journal.read(workflow))!.command(command)!.command.input).toEqual(large.commands[0]!.input);
  });

  it('is undefined for a run that has not started', async () => {
    expect(await createWorkflowJournal(platform).read(newId())).toBeUndefined();
  });
});

it.each([
  { task: 'plain', route: 0, round: 1, attempt: 0 },
  { task: 'with:colons', route: 3, round: 2, attempt: 4, item: 17 },
])('a request key identifies its action: %j', (action) => {
  expect(actionOfKey(requestKeyOf(newId(), action))).toEqual(action);
});

it('other keys identify no action', () => {
  expect(actionOfKey('6b00e5d1bdf70f6e3570dc72:rule')).toBeUndefined();
  expect(actionOfKey('')).toBeUndefined();
});

it('ids are derived from the execution, task, route and round', () => {
  const [execution, other] = [newId(), newId()];
  expect(workflowIdOf(execution)).toMatch(/^[0-9a-f]{24}$/);
  expect(workflowIdOf(execution)).not.toBe(workflowIdOf(other));
  expect(taskIdOf(execution, { task: 'a', route: 0, round: 1 })).not.toBe(
    taskIdOf(execution, { task: 'a', route: 0, round: 2 }),
  );
});
