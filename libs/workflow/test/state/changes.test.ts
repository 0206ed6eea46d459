import { Conductor, parseWorkflow, type Changes, type WorkflowSpec } from '@switchyard/workflow';

/** A loop of `rounds` rounds, each publishing a value. */
const loop = (rounds: number): WorkflowSpec =>
  parseWorkflow(`
version: 1.0
vars: [{n: 0}]
tasks:
  start: {action: x.y, next: [{do: t}]}
  t: {action: x.y, next: [{when: '<% ctx().n < ${rounds} %>', publish: [{n: <% ctx().n + 1 %>}], do: t}]}
`);

/** Runs a workflow to its end. @returns the changes of each completion */
function changesOf(spec: WorkflowSpec): Changes[] {
  const conductor = Conductor.create(spec);
  conductor.requestStatus('running');
  const found: Changes[] = [];
  for (let tasks = conductor.nextTasks(); tasks.length > 0; tasks = conductor.nextTasks()) {
    for (const { task, route, round } of tasks) conductor.taskEvent({ task, route, round, status: 'running' });
    conductor.takeChanges();
    for (const { task, route, round } of tasks) conductor.taskEvent({ task, route, round, status: 'succeeded' });
    found.push(conductor.takeChanges()!);
  }
  return found;
}

describe('the reported changes', () => {
  it('are as few in the last round of a long loop as in the first', () => {
    const changes = changesOf(loop(300));
    const size = ({ put, removed }: Changes): number => put.length + removed.length;
    const bytes = (index: number): number => JSON.stringify(changes[index]).length;
    expect(new Set(changes.slice(1, -1).map(size))).toEqual(new Set([3]));
    expect(bytes(298) - bytes(2)).toBeLessThan(40);
  });

  it('have increasing revisions', () => {
    const revisions = changesOf(loop(3)).map(({ head }) => head.revision);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  it('omit what came and went between two reports', () => {
    const conductor = Conductor.create(loop(1));
    conductor.requestStatus('running');
    conductor.nextTasks();
    conductor.taskEvent({ task: 'start', route: 0, status: 'running' });
    const { put, removed } = conductor.takeChanges()!;
    expect(put.map(({ key }) => key).sort()).toEqual(['context/0', 'entry/0', 'route/0']);
    expect(removed).toEqual([]);
  });

  it('do not change afterwards', () => {
    const conductor = Conductor.create(loop(1));
    conductor.requestStatus('running');
    conductor.nextTasks();
    conductor.taskEvent({ task: 'start', route: 0, status: 'running' });
    const before = conductor.takeChanges()!;
    const text = JSON.stringify(before);
    conductor.taskEvent({ task: 'start', route: 0, status: 'succeeded' });
    expect(JSON.stringify(before)).toBe(text);
  });
});
