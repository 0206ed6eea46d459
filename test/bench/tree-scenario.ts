import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isTerminal } from '@switchyard/model';
import { startSystem, type TestSystem } from '@switchyard/testkit/system';
import { openPlatformOn } from './engine-under-test';
import { stretchesOf } from './stretches';

const ITEMS = 100_000;
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

async function onTree(
  target: 'embedded' | 'servers',
  scale: number,
  work: (system: TestSystem, root: string) => Promise<void>,
): Promise<void> {
  const items = Math.ceil(ITEMS * scale);
  const platform = await openPlatformOn(target);
  const packs = join(platform.config.system.base_path, 'bench-packs');
  const settings = { packDirectories: [packs] };
  const system = await startSystem({ platform, engines: 1, runners: [{ slots: 2 }], settings });
  try {
    await registerTree(system, packs, items);
    let root = '';
    const rows = [
      await row('requested', items, async () => {
        root = (await system.request({ action: 'tests.tree' }))._id;
        while ((await platform.store.executions.count()) <= items) await wait(LOOK_MS);
      }),
      await row('canceled', items, () => work(system, root)),
    ];
    console.table(rows);
    console.log(
      'longest delay: wall time that something had to wait; longest turn: processor time of the main thread.',
    );
  } finally {
    await system.close();
  }
}

async function registerTree(system: TestSystem, packs: string, items: number): Promise<void> {
  const directory = join(packs, 'tests', 'actions', 'workflows');
  await mkdir(directory, { recursive: true });
  const text = `version: 1.0\ntasks:\n  many:\n    with: <% range(${items}) %>\n    action: tests.manual\n`;
  await writeFile(join(directory, 'tree.yaml'), text);
  await system.register({ name: 'manual', runner_type: 'manual' });
  await system.register({ name: 'tree', runner_type: 'orquesta', entry_point: 'workflows/tree.yaml' });
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
