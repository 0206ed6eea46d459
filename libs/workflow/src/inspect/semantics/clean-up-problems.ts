import { isPlainObject } from '@switchyard/base';
import { cleanUpNames } from '../../graph';
import { ENGINE_COMMANDS, type WorkflowSpec } from '../../spec/model';
import type { Problem } from '../finding';
import { TASK_PROPERTIES, TRANSITION_PROPERTIES } from '../schema-places';

/** Rules for the tasks of `finally` and `rollback`, which run by themselves and lead nowhere. */
export function cleanUpProblems(spec: WorkflowSpec, raw: Readonly<Record<string, unknown>>): Problem[] {
  const names = cleanUpNames(spec);
  return [
    ...undefinedNames(spec),
    ...[...names].flatMap((name) => taskProblems(name, raw)),
    ...destinations(spec, names),
  ];
}

function undefinedNames(spec: WorkflowSpec): Problem[] {
  const last = spec.finally.map((name, index) => ({
    name,
    path: ['finally', index],
    schema: ['properties', 'finally'],
  }));
  const undoing = [...spec.tasks.values()].flatMap((task) =>
    task.rollback === undefined
      ? []
      : [{ name: task.rollback, path: ['tasks', task.name, 'rollback'], schema: [...TASK_PROPERTIES, 'rollback'] }],
  );
  return [...last, ...undoing]
    .filter(({ name }) => !spec.tasks.has(name) || isCommand(name))
    .map(({ name, path, schema }) => ({ message: `The task "${name}" is not defined.`, path, schema }));
}

const isCommand = (name: string): boolean => (ENGINE_COMMANDS as readonly string[]).includes(name);

/** Looks at the raw task: an empty `next` is one, too. */
function taskProblems(name: string, { tasks }: Readonly<Record<string, unknown>>): Problem[] {
  const task = isPlainObject(tasks) && Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (!isPlainObject(task)) return [];
  return ['next', 'join', 'rollback']
    .filter((property) => property in task)
    .map((property) => ({
      message: `The task "${name}" is named in finally or rollback and cannot have "${property}".`,
      path: ['tasks', name, property],
      schema: [...TASK_PROPERTIES, property],
    }));
}

const destinations = (spec: WorkflowSpec, cleanUp: ReadonlySet<string>): Problem[] =>
  [...spec.tasks.values()].flatMap((task) =>
    task.next.flatMap((transition, index) =>
      transition.do
        .filter((name) => cleanUp.has(name) && spec.tasks.has(name))
        .map((name) => ({
          message: `The task "${name}" is named in finally or rollback and cannot be the destination of a transition.`,
          path: ['tasks', task.name, 'next', index, 'do'],
          schema: [...TRANSITION_PROPERTIES, 'do'],
        })),
    ),
  );
