import { isPlainObject } from '@switchyard/base';
import { type Graph, cleanUpNames } from '../../graph';
import { ENGINE_COMMANDS, type WorkflowSpec } from '../../spec/model';
import { type InspectionProblem, TASK, TASKS, TRANSITION_PROPERTIES, TASK_PROPERTIES } from '../finding';
import { joinProblems } from './join-problems';

/** Finds problems beyond the structure of a definition. */
export const semanticProblems = (
  spec: WorkflowSpec,
  graph: Graph,
  raw: Readonly<Record<string, unknown>>,
): InspectionProblem[] => [
  ...reservedNames(spec),
  ...withoutStart(spec, graph),
  ...undefinedTasks(spec, graph),
  ...joinProblems(graph),
  ...itemsWithoutAction(spec),
  ...cleanUpProblems(spec, raw),
];

const COMMANDS: ReadonlySet<string> = new Set(ENGINE_COMMANDS);

const reservedNames = ({ tasks }: WorkflowSpec): InspectionProblem[] =>
  ENGINE_COMMANDS.filter((name) => tasks.has(name)).map((name) => ({
    message: `The task name "${name}" is reserved with special function.`,
    path: ['tasks', name],
    schema: TASK,
  }));

function withoutStart({ tasks }: WorkflowSpec, { starts }: Graph): InspectionProblem[] {
  if (tasks.size === 0 || starts.length > 0) return [];
  const message =
    'Unable to identify any tasks to start the workflow. If the workflow has a loop, please add a task that serves as an ' +
    'entry point (or lead) into the loop.';
  return [{ message, path: ['tasks'], schema: TASKS }];
}

/** Checks reachable tasks only. */
const undefinedTasks = ({ tasks }: WorkflowSpec, graph: Graph): InspectionProblem[] =>
  [...graph.tasks.values()].flatMap(({ next }) =>
    next
      .filter(({ to }) => !tasks.has(to) && !COMMANDS.has(to))
      .map(({ from, to, ref }) => ({
        message: `The task "${to}" is not defined.`,
        path: ['tasks', from, 'next', ref, 'do'],
        schema: [...TRANSITION_PROPERTIES, 'do'],
      })),
  );

const itemsWithoutAction = ({ tasks }: WorkflowSpec): InspectionProblem[] =>
  [...tasks.values()]
    .filter((task) => task.with !== undefined && task.action === undefined)
    .map(({ name }) => ({
      message: 'The action property is required for with items task.',
      path: ['tasks', name],
      schema: TASK,
    }));

/** Checks the tasks of `finally` and `rollback`, which run on their own and have no transitions. */
function cleanUpProblems(spec: WorkflowSpec, raw: Readonly<Record<string, unknown>>): InspectionProblem[] {
  const names = cleanUpNames(spec);
  return [
    ...undefinedNames(spec),
    ...[...names].flatMap((name) => taskProblems(name, raw)),
    ...destinations(spec, names),
  ];
}

function undefinedNames(spec: WorkflowSpec): InspectionProblem[] {
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

/** Checks the raw task, since an empty `next` counts too. */
function taskProblems(name: string, { tasks }: Readonly<Record<string, unknown>>): InspectionProblem[] {
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

const destinations = (spec: WorkflowSpec, cleanUp: ReadonlySet<string>): InspectionProblem[] =>
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
