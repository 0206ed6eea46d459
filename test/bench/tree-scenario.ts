import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isTerminal } from '@switchyard/model';
import { startSystem, type TestSystem } from '@switchyard/testkit/system';
import { openPlatformOn } from './engine-under-test';
import { stretchesOf } from './stretches';

const ITEMS = 100_000;
const NESTED = 10_000;
const LOOK_MS = 100;

/** Cancels a workflow with a large tree of waiting actions. @param scale factor for its size */
export const cancelScenario = (target: 'embedded' | 'servers', scale: number): Promise<void> =>
  onTree(target, scale, async (system, root) => {
    await system.executions.cancel(root, 'bench');
    await untilEnded(system, root);
  });

/** The same without a running engine: one that starts later reads the run from its journal first. */
export const takeOverScenario = (target: 'embedded' | 'servers', scale: number): Promise<void> =>
  onTree(target, scale, async (system, root) => {
    await system.engines[0]!.stop();
    await system.executions.cancel(root, 'bench');
    await system.addEngine();
    await untilEnded(system, root);
  });

/** Cancels a workflow that calls itself twice, once its tree has as many executions, nearly all of them workflows. */
export const cancelNestedScenario = (target: 'embedded' | 'servers', scale: number): Promise<void> => {
  const text = 'version: 1.0\ntasks:\n  one:\n    action: tests.tree\n  other:\n    action: tests.tree\n';
  return onSystem(target, text, async (system) => {
    const executions = Math.ceil(NESTED * scale);
    return [
      await requested(system, executions),
      await row('canceled', executions, async () => {
        await system.executions.cancel(await rootOf(system), 'bench');
        await untilEnded(system, await rootOf(system));
        console.log(`${await system.platform.store.executions.count()} executions in the tree that was canceled`);
      }),
    ];
  });
};

function onTree(
  target: 'embedded' | 'servers',
  scale: number,
  work: (system: TestSystem, root: string) => Promise<void>,
): Promise<void> {
  const items = Math.ceil(ITEMS * scale);
  const text = `version: 1.0\ntasks:\n  many:\n    with: <% range(${items}) %>\n    action: tests.manual\n`;
  return onSystem(target, text, async (system) => [
    await requested(system, items),
    await row('canceled', items, async () => work(system, await rootOf(system))),
  ]);
}

/** @param text the definition of the workflow `tests.tree` */
async function onSystem(
  target: 'embedded' | 'servers',
  text: string,
  work: (system: TestSystem) => Promise<unknown[]>,
): Promise<void> {
  const platform = await openPlatformOn(target);
  const packs = join(platform.config.system.base_path, 'bench-packs');
  const settings = { packDirectories: [packs] };
  const system = await startSystem({ platform, engines: 1, runners: [{ slots: 2 }], settings });
  try {
    await registerTree(system, packs, text);
    console.table(await work(system));
    console.log(
      'longest delay: wall time that something had to wait; longest turn: processor time of the main thread.',
    );
  } finally {
    await system.close();
  }
}

async function registerTree(system: TestSystem, packs: string, text: string): Promise<void> {
  const directory = join(packs, 'tests', 'actions', 'workflows');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'tree.yaml'), text);
  await system.register({ name: 'manual', runner_type: 'manual' });
  await system.register({ name: 'tree', runner_type: 'orquesta', entry_point: 'workflows/tree.yaml' });
}

/** Requests the workflow and waits until there are more executions than these. */
const requested = (system: TestSystem, count: number) =>
  row('requested', count, async () => {
    await system.request({ action: 'tests.tree' });
    while ((await system.platform.store.executions.count()) <= count) await wait(LOOK_MS);
  });

async function rootOf({ platform }: TestSystem): Promise<string> {
  const [first] = await platform.store.executions.list({ sort: { start_timestamp: 1 }, limit: 1 });
  return first!._id;
}

/** Waits until the whole tree has ended and all notifications are done. */
async function untilEnded({ platform: { store } }: TestSystem, root: string): Promise<void> {
  for (;;) {
    const { status } = (await store.executions.get(root))!;
    if (isTerminal(status)) break;
    await wait(LOOK_MS);
  }
  while ((await store.executions.list({ filter: { due: { $exists: true } }, limit: 1 })).length > 0)
    await wait(LOOK_MS);
  if ((await store.executions.count({ status: 'canceled' })) !== (await store.executions.count()))
    throw new Error('not everything was canceled');
}

async function row(step: string, items: number, work: () => Promise<void>) {
  const { seconds, cpuSeconds, longestDelayMs, longestTurnMs, peakMb } = await stretchesOf(work);
  return {
    step,
    items,
    seconds: seconds.toFixed(1),
    cpuSeconds: cpuSeconds.toFixed(1),
    'cpu ms each': ((cpuSeconds * 1000) / items).toFixed(3),
    'longest delay ms': longestDelayMs.toFixed(0),
    'longest turn ms': longestTurnMs.toFixed(0),
    peakMb,
  };
}
