import { Conductor, parseWorkflow, type Snapshot } from '@switchyard/workflow';
import { restoreState } from '../../src/state/restore';

const ITEMS = 5000;
const spec = parseWorkflow(`
version: 1.0
tasks: {t: {action: x.y, with: '<% range(${ITEMS}) %>'}}
`);

/** A run with many active items, as its journal has it. */
function snapshotOf(conductor: Conductor): Snapshot {
  const { head, put } = conductor.takeChanges()!;
  return { head, documents: put };
}

function started(): Conductor {
  const conductor = Conductor.create(spec);
  conductor.requestStatus('running');
  conductor.nextTasks();
  conductor.itemEvents(
    Array.from({ length: ITEMS }, (_, item) => ({ task: 't', route: 0, item, status: 'running' as const })),
  );
  return conductor;
}

describe('restoring a large run', () => {
  it('pauses every few hundred documents', () => {
    const parts = restoreState(snapshotOf(started()));
    let pauses = 0;
    while (!parts.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan((2 * ITEMS) / 1000);
  });

  it('gives the same result in slices as in one go', async () => {
    const conductor = started();
    const snapshot = snapshotOf(conductor);
    const restored = await Conductor.restoreInSlices(spec, snapshot);
    expect([restored.status, restored.tasks]).toEqual([conductor.status, conductor.tasks]);
    expect([...restored.underway]).toEqual([...Conductor.restore(spec, snapshot).underway]);
    restored.itemEvents([{ task: 't', route: 0, item: 7, status: 'canceled' }]);
    expect(restored.statusOf('t', 0)).toBe('canceling');
  });
});
