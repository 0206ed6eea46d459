import { eventually, leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from '../support/workflow-system';

const later = leakCheck();

async function started(): Promise<WorkflowSystem> {
  const system = await workflowSystem();
  later(() => system.close());
  return system;
}

const NOTIFY = { 'on-complete': { message: 'It is over.', routes: ['chat'] } };

/** Runs an action to its end. @returns the names of the actions whose ends were notified */
async function toldOf(system: WorkflowSystem, name: string, parameters: Record<string, unknown>): Promise<string[]> {
  const { store } = system.platform;
  const { _id: id } = await system.request({ action: `tests.${name}`, parameters, notify: NOTIFY });
  await system.untilStatus(id);
  const all = await eventually(
    async () => {
      const family = [(await store.executions.get(id))!, ...(await system.children(id))];
      return family.every(({ due }) => !due?.includes('notifier')) && family;
    },
    () => 'the notifier to be done',
  );
  const told = (await store.triggerInstances.list({ sort: { _id: 1 } })).map(({ payload }) => payload['execution_id']);
  return all.filter(({ _id }) => told.includes(_id)).map(({ action_ref: ref }) => ref);
}

const WORKFLOW = `
version: 1.0
tasks:
  one:
    action: tests.first
    next:
      - do: two
  two:
    action: tests.second
`;

const CHAIN = `
chain:
  - name: one
    ref: tests.first
    on-success: two
  - name: two
    ref: tests.second
`;

async function withActions(system: WorkflowSystem): Promise<void> {
  await system.register({ name: 'first', runner_type: 'noop' });
  await system.register({ name: 'second', runner_type: 'noop', notify: NOTIFY });
}

describe('the notification of a workflow', () => {
  it.each([
    ['nothing', {}, ['tests.whole']],
    ['one task', { notify: ['one'] }, ['tests.whole', 'tests.first']],
    ['both', { notify: ['one', 'two'] }, ['tests.whole', 'tests.first', 'tests.second']],
  ])('applies to tasks that its parameter names as well: %s', async (_, parameters, told) => {
    const system = await started();
    await withActions(system);
    await system.workflow('whole', WORKFLOW);
    expect(new Set(await toldOf(system, 'whole', parameters))).toEqual(new Set(told));
  });

  it('refuses names of missing tasks', async () => {
    const system = await started();
    await withActions(system);
    await system.workflow('whole', WORKFLOW);
    const { status, result } = await system.outcome('whole', { notify: ['three'] });
    expect(status).toBe('failed');
    expect(result).toMatchObject({ errors: [{ message: expect.stringContaining('do not exist') as string }] });
  });

  it.each([
    ['nothing', {}, ['tests.whole', 'tests.first', 'tests.second']],
    ['a node', { skip_notify: ['two'] }, ['tests.whole', 'tests.first']],
  ])('of a chain applies to all nodes except those that it excludes: %s', async (_, parameters, told) => {
    const system = await started();
    await withActions(system);
    await system.workflow('whole', CHAIN, { runner_type: 'action-chain' });
    expect(new Set(await toldOf(system, 'whole', parameters))).toEqual(new Set(told));
  });

  it.each([
    ['orquesta', WORKFLOW, { notify: ['two'] }, ['tests.second']],
    ['action-chain', CHAIN, {}, ['tests.first', 'tests.second']],
  ])('is replaced by that of an action, if it applies to its task: %s', async (runner, entry, parameters, replaced) => {
    const own = { 'on-success': { message: 'Built.', routes: ['builds'] } };
    const system = await started();
    await system.register({ name: 'first', runner_type: 'noop', notify: own });
    await system.register({ name: 'second', runner_type: 'noop', notify: own });
    await system.workflow('whole', entry, { runner_type: runner });
    const { _id: id } = await system.request({ action: 'tests.whole', parameters, notify: NOTIFY });
    await system.untilStatus(id, 'succeeded');
    for (const child of await system.children(id))
      expect(child.notify).toEqual(replaced.includes(child.action_ref) ? own : undefined);
  });

  it('of an action counts in a chain without one', async () => {
    const system = await started();
    await withActions(system);
    await system.workflow('whole', CHAIN, { runner_type: 'action-chain' });
    const { _id: id } = await system.request({ action: 'tests.whole' });
    await system.untilStatus(id, 'succeeded');
    expect((await system.children(id)).map(({ notify }) => notify)).toEqual([undefined, NOTIFY]);
  });

  it('is stored with its routes where a node calls them channels', async () => {
    const system = await started();
    await withActions(system);
    const ofNode = '    notify:\n      on-complete:\n        channels: [mail]\n';
    const chain = CHAIN.replace('tests.second', 'tests.first') + ofNode;
    await system.workflow('whole', chain, { runner_type: 'action-chain' });
    const { _id: id } = await system.request({ action: 'tests.whole' });
    await system.untilStatus(id, 'succeeded');
    const [, second] = await system.children(id);
    expect(second!.notify).toEqual({ 'on-complete': { routes: ['mail'] } });
  });
});
