import type { TaskSpec, WorkflowSpec } from '../spec/model';
import type { Transition } from './graph';

/** The arrows that leave a task, by destination and then as written. `retry` is a rule on the task itself, no arrow. */
export function arrowsFrom(task: TaskSpec): Transition[] {
  const keys = new Map<string, number>();
  const arrows = task.next.flatMap((transition, ref) =>
    [...new Set(transition.do)]
      .filter((to) => to !== 'retry')
      .map((to): Transition => {
        const key = keys.get(to) ?? 0;
        keys.set(to, key + 1);
        const { when, publish } = transition;
        const names = { id: `${to}__t${key}`, backId: `${task.name}__t${key}`, from: task.name, to };
        return { ...names, ref, publish, ...(when === undefined ? {} : { when }) };
      }),
  );
  return arrows.sort((a, b) => (a.to === b.to ? a.ref - b.ref : a.to < b.to ? -1 : 1));
}

/** The names of the tasks that only clean-up runs: they have no place in the order of the body. */
export function cleanUpNames(spec: WorkflowSpec): Set<string> {
  const names = new Set(spec.finally);
  for (const { rollback } of spec.tasks.values()) if (rollback !== undefined) names.add(rollback);
  return names;
}
