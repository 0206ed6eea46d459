import type { InstanceObserver } from '@switchyard/host';
import type { Engine } from './engine';
import type { Keeper } from './keeper';

/** Takes on the runs of engines that are gone. */
export async function recover(engine: Engine, keeper: Keeper, observer: InstanceObserver): Promise<void> {
  const { store, instance, logger } = engine;
  const owners = await store.workflows.owners();
  if (owners.every((owner) => owner === instance)) return;
  const alive = new Set((await observer.alive('workflow-engine')).map(({ _id }) => _id));
  for (const owner of owners) {
    if (owner === instance || alive.has(owner)) continue;
    for (const { _id: workflow } of await store.workflows.openOf(owner)) {
      if (!(await store.workflows.own(workflow, instance, owner))) continue;
      logger.info('A workflow of an engine that is gone is gone on with.', { workflow });
      // What goes wrong is tried again by the keeper.
      void keeper.tell(workflow, { look: true }).catch(() => undefined);
    }
  }
}
