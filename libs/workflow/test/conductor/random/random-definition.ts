import type { Chance } from './chance';

type Raw = Record<string, unknown>;

/** The most rounds of a loop. */
const MOST_ROUNDS = 3;

/**
 * A definition of a few tasks, starting with the first, with branches, joins, finite loops, items, retries and
 * commands. Each transition publishes a variable `p_<task>`; each task lists the names of all variables in its input.
 */
export function randomDefinition(chance: Chance): Raw {
  const names = Array.from({ length: 3 + chance.below(6) }, (_, index) => `t${index}`);
  const tasks = Object.fromEntries(names.map((name, index) => [name, randomTask(chance, name, names, index)]));
  const cleanUp = chance.onceIn(3) ? cleanUpTasks(chance, tasks) : {};
  return { version: 1.0, vars: [{ n: 0 }, { list: [1, 2, 3] }], tasks, output: [{ n: '<% ctx(n) %>' }], ...cleanUp };
}

function randomTask(chance: Chance, name: string, names: readonly string[], index: number): Raw {
  return {
    action: 'core.noop',
    input: { names: '<% ctx().keys() %>' },
    ...(index > 0 && chance.onceIn(3) ? { join: chance.of(['all', 'all', 1, 2]) } : {}),
    ...(chance.onceIn(5)
      ? { with: { items: '<% ctx(list) %>', ...(chance.onceIn(2) ? { concurrency: 2 } : {}) } }
      : {}),
    ...(chance.onceIn(6) ? { retry: { count: chance.below(3), delay: 1 } } : {}),
    next: Array.from({ length: chance.below(4) }, () => randomTransition(chance, name, names, index)),
  };
}

function randomTransition(chance: Chance, name: string, names: readonly string[], index: number): Raw {
  const later = [...names.slice(index + 1), ...(chance.onceIn(3) ? ['noop', 'fail', 'continue'] : ['continue'])];
  if (index > 0 && chance.onceIn(5)) return back(chance, name, names.slice(1, index + 1));
  return {
    ...(chance.onceIn(4)
      ? {}
      : { when: chance.of(['<% succeeded() %>', '{{ succeeded() }}', '<% failed() %>', '<% completed() %>']) }),
    publish: [{ [`p_${name}`]: name }],
    do: chance.some(later, 3),
  };
}

const back = (chance: Chance, name: string, earlier: readonly string[]): Raw => ({
  when: `<% succeeded() and ctx(n) < ${MOST_ROUNDS} %>`,
  publish: [{ [`p_${name}`]: name }, { n: '<% ctx(n) + 1 %>' }],
  do: [chance.of(earlier)],
});

function cleanUpTasks(chance: Chance, tasks: Record<string, Raw>): Raw {
  const task = { action: 'core.noop', input: { names: '<% ctx().keys() %>' } };
  for (const [name, body] of Object.entries({ ...tasks })) {
    if (!chance.onceIn(3)) continue;
    tasks[`undo_${name}`] = task;
    tasks[name] = { ...body, rollback: `undo_${name}` };
  }
  tasks['last'] = task;
  return { finally: ['last'] };
}
