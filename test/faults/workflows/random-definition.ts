import type { Chance } from './chance';
import { CHAIN, INNER, NOOP, PACK, STEP } from './names';

export type Definition = Readonly<Record<string, unknown>>;
type Raw = Record<string, unknown>;

/** The maximum number of loop iterations. */
const MOST_ROUNDS = 2;

/**
 * A definition of a few tasks that starts with the first, with branches, joins, finite loops, items, retries, nested workflows,
 * commands, rollbacks and a last task. Its output contains every published variable.
 */
export function randomDefinition(chance: Chance): Definition {
  const names = Array.from({ length: 3 + chance.below(6) }, (_, index) => `t${index}`);
  const tasks = Object.fromEntries(names.map((name, index) => [name, randomTask(chance, name, names, index)]));
  const cleanUp = chance.onceIn(4) ? cleanUpTasks(chance, tasks) : {};
  return { version: 1.0, vars: [{ n: 0 }, { list: [1, 2, 3, 4] }], tasks, output: output(names), ...cleanUp };
}

const output = (names: readonly string[]): Raw[] => [
  { n: '<% ctx(n) %>' },
  { names: '<% ctx().keys().orderBy($) %>' },
  ...names.map((name) => ({ [name]: `<% ctx().get(p_${name}) %>` })),
];

function randomTask(chance: Chance, name: string, names: readonly string[], index: number): Raw {
  const hasItems = chance.onceIn(5);
  const result = hasItems ? '<% result().select($.return_code) %>' : '<% result().get(return_code) %>';
  return {
    ...randomAction(chance, hasItems),
    ...(index > 0 && chance.onceIn(3) ? { join: chance.of(['all', 'all', 1, 2]) } : {}),
    ...(hasItems ? { with: { items: '<% ctx(list) %>', ...(chance.onceIn(2) ? { concurrency: 2 } : {}) } } : {}),
    ...(chance.onceIn(5) ? { retry: { count: 1 + chance.below(2), delay: chance.below(2) } } : {}),
    next: Array.from({ length: chance.below(4) }, () => randomTransition(chance, name, { names, index, result })),
  };
}

function randomAction(chance: Chance, hasItems: boolean): Raw {
  if (chance.onceIn(3)) return { action: NOOP };
  if (!hasItems && chance.onceIn(6)) return { action: chance.of([INNER, CHAIN]) };
  const code = chance.of(['0', '0', '0', '0', '3', '<% ctx(n) mod 2 %>', hasItems ? '<% item() mod 2 %>' : '0']);
  return { action: STEP, input: { cmd: `sleep 0.${chance.below(4)}; exit ${code}` } };
}

interface Place {
  readonly names: readonly string[];
  readonly index: number;
  /** The expression for the result of the task. */
  readonly result: string;
}

function randomTransition(chance: Chance, name: string, { names, index, result }: Place): Raw {
  const commands = chance.onceIn(3) ? ['noop', 'fail', 'continue'] : ['continue'];
  const publish = { [`p_${name}`]: chance.onceIn(2) ? name : result };
  if (index > 0 && chance.onceIn(5)) return back(chance, publish, names.slice(1, index + 1));
  const when = chance.of(['<% succeeded() %>', '{{ succeeded() }}', '<% failed() %>', '<% completed() %>']);
  return {
    ...(chance.onceIn(4) ? {} : { when }),
    publish: [publish],
    do: chance.some([...names.slice(index + 1), ...commands], 3),
  };
}

const back = (chance: Chance, publish: Raw, earlier: readonly string[]): Raw => ({
  when: `<% succeeded() and ctx(n) < ${MOST_ROUNDS} %>`,
  publish: [publish, { n: '<% ctx(n) + 1 %>' }],
  do: [chance.of(earlier)],
});

function cleanUpTasks(chance: Chance, tasks: Record<string, Raw>): Raw {
  for (const [name, body] of Object.entries({ ...tasks })) {
    if (!chance.onceIn(3)) continue;
    tasks[`undo_${name}`] = { action: STEP, input: { cmd: 'exit 0' } };
    tasks[name] = { ...body, rollback: `undo_${name}` };
  }
  tasks['last'] = { action: NOOP };
  return { finally: ['last'] };
}

/** The workflows that the random ones run. */
export const INNER_DEFINITIONS: Readonly<Record<string, { runner: string; definition: Definition }>> = {
  [INNER]: {
    runner: 'orquesta',
    definition: {
      version: 1.0,
      tasks: {
        one: { action: STEP, input: { cmd: 'sleep 0.1; exit 0' }, next: [{ do: ['two', 'three'] }] },
        two: { action: NOOP, next: [{ do: 'four' }] },
        three: { action: STEP, input: { cmd: 'exit 0' }, next: [{ do: 'four' }] },
        four: { join: 'all', action: NOOP },
      },
    },
  },
  [CHAIN]: {
    runner: 'action-chain',
    definition: {
      chain: [
        { name: 'one', ref: STEP, parameters: { cmd: 'exit 5' }, 'on-failure': 'two' },
        { name: 'two', ref: NOOP },
      ],
    },
  },
};

/** The number of actions in each of them. */
export const INNER_ACTIONS: Readonly<Record<string, number>> = { [INNER]: 4, [CHAIN]: 2 };

export const localName = (reference: string): string => reference.slice(PACK.length + 1);
