import type { ExecutionRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { by, executionsOn, register } from './executions-fixture';

const later = leakCheck();
let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

const childOf = ({ _id }: ExecutionRecord) => ({ context: { parent: { execution_id: _id } } });

/** A task of the workflow of an execution. */
const taskOf = (parent: ExecutionRecord) => ({
  ...childOf(parent),
  workflow: {
    workflow: 'w',
    task: 't',
    parent,
    user: String(parent.context['user']),
    notify: {},
    mayReplaceNotify: false,
  },
});

describe('the lineage of an execution', () => {
  it('contains only the user for a direct request', async () => {
    const executions = executionsOn(platform);
    const record = await by(executions, await register(platform), { user: 'ada lovelace' });
    expect(record.share).toBe('ada%20lovelace a');
    expect([record.root, record.nesting]).toEqual([undefined, undefined]);
  });

  it('continues from parent to child', async () => {
    const executions = executionsOn(platform);
    const ref = await register(platform);
    const top = await by(executions, ref);
    const task = await by(executions, ref, taskOf(top));
    const inner = await by(executions, ref, taskOf(task));
    const share = `ada b ${top._id}`;
    expect(task).toMatchObject({ root: top._id, nesting: 1, share });
    expect(inner).toMatchObject({ root: top._id, nesting: 2, share });
  });

  it('starts a new tree in the same queue for a request of an action through the API', async () => {
    const executions = executionsOn(platform);
    const ref = await register(platform);
    const top = await by(executions, ref);
    const task = await by(executions, ref, taskOf(top));
    const asked = await by(executions, ref, { ...childOf(task), user: 'bob' });
    expect(asked.root).toBeUndefined();
    expect(asked).toMatchObject({ nesting: 2, share: `ada b ${top._id}` });
    expect(await by(executions, ref, taskOf(asked))).toMatchObject({ root: asked._id, nesting: 3 });
  });

  it('starts again below a record of an earlier version', async () => {
    const executions = executionsOn(platform);
    const ref = await register(platform);
    const { share: _, ...old } = await by(executions, ref);
    await platform.store.executions.change(old._id, {}, { unset: ['share'] });
    expect(await by(executions, ref, childOf(old))).toMatchObject({ nesting: 1, share: `ada b ${old._id}` });
  });

  it('has a limit for the executions below one request', async () => {
    const executions = executionsOn(platform, { maxTreeSize: 3 });
    const ref = await register(platform);
    const top = await by(executions, ref);
    const child = await by(executions, ref, childOf(top));
    await by(executions, ref, childOf(child));
    await expect(executions.trees.add(child, 2)).rejects.toMatchObject({ code: 'execution.tree-size' });
    await executions.trees.add(child, 1);
    await expect(by(executions, ref, childOf(top))).rejects.toMatchObject({
      status: 400,
      message: `There would be more than 3 executions below the execution "${top._id}", which limits.max_tree_size does not allow.`,
    });
    expect(await platform.store.executions.get(top._id)).toMatchObject({ tree_size: 3 });
    expect(await platform.store.executions.count()).toBe(3);
    await by(executions, ref);
  });

  it('is limited by the option, and a deeper request stores nothing', async () => {
    const executions = executionsOn(platform, { maxNesting: 2 });
    const ref = await register(platform);
    let parent = await by(executions, ref);
    for (let depth = 0; depth < 2; depth++) parent = await by(executions, ref, childOf(parent));
    await expect(by(executions, ref, childOf(parent))).rejects.toMatchObject({
      status: 400,
      message: `The execution of "${ref}" would be nested 3 levels deep; limits.max_nesting allows 2.`,
    });
    expect(await platform.store.executions.count()).toBe(3);
  });
});

it('parameters and context together have a largest size, and a larger request stores nothing', async () => {
  const executions = executionsOn(platform, { maxRecordBytes: 1000 });
  const ref = await register(platform);
  const ask = (length: number) => by(executions, ref, { context: { note: 'x'.repeat(length) } });
  await ask(800);
  await expect(ask(1000)).rejects.toMatchObject({
    status: 422,
    message:
      'The parameters and the context of an execution cannot have more than 1000 bytes as JSON (limits.max_record_bytes)',
  });
  expect(await platform.store.executions.count()).toBe(1);
});
