import type { Graph } from '../../graph';
import { ENGINE_COMMANDS, type WorkflowSpec } from '../../spec/model';
import type { Problem } from '../finding';
import { TASK, TASKS, TRANSITION_PROPERTIES } from '../schema-places';
import { cleanUpProblems } from './clean-up-problems';
import { joinProblems } from './join-problems';

/** What is wrong although every part has the right shape. */
export const semanticProblems = (
  spec: WorkflowSpec,
  graph: Graph,
  raw: Readonly<Record<string, unknown>>,
): Problem[] => [
  ...reservedNames(spec),
  ...withoutStart(spec, graph),
  ...undefinedTasks(spec, graph),
  ...joinProblems(graph),
  ...itemsWithoutAction(spec),
  ...cleanUpProblems(spec, raw),
];

const COMMANDS: ReadonlySet<string> = new Set(ENGINE_COMMANDS);

const reservedNames = ({ tasks }: WorkflowSpec): Problem[] =>
  ENGINE_COMMANDS.filter((name) => tasks.has(name)).map((name) => ({
    message: `The task name "${name}" is reserved with special function.`,
    path: ['tasks', name],
    schema: TASK,
  }));

function withoutStart({ tasks }: WorkflowSpec, { starts }: Graph): Problem[] {
  if (tasks.size === 0 || starts.length > 0) return [];
  const message =
    'Unable to identify any tasks to start the workflow. If the workflow has a loop, please add a task that serves as an ' +
    'entry point (or lead) into the loop.';
  return [{ message, path: ['tasks'], schema: TASKS }];
}

/** Only of tasks that can be reached. */
const undefinedTasks = ({ tasks }: WorkflowSpec, graph: Graph): Problem[] =>
  [...graph.tasks.values()].flatMap(({ next }) =>
    next
      .filter(({ to }) => !tasks.has(to) && !COMMANDS.has(to))
      .map(({ from, to, ref }) => ({
        message: `The task "${to}" is not defined.`,
        path: ['tasks', from, 'next', ref, 'do'],
        schema: [...TRANSITION_PROPERTIES, 'do'],
      })),
  );

const itemsWithoutAction = ({ tasks }: WorkflowSpec): Problem[] =>
  [...tasks.values()]
    .filter((task) => task.with !== undefined && task.action === undefined)
    .map(({ name }) => ({
      message: 'The action property is required for with items task.',
      path: ['tasks', name],
      schema: TASK,
    }));
