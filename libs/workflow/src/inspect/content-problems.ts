import { isExpression } from '@switchyard/expressions';
import { parseReference } from '@switchyard/model';
import type { TaskSpec, WorkflowSpec } from '../spec/model';
import type { Problem } from './finding';
import { TASK_PROPERTIES } from './schema-places';

/** What inspection needs to know of a parameter; the action's own and those of its runner, by name. */
export type ActionParameters = Readonly<Record<string, { readonly required?: boolean; readonly default?: unknown }>>;

/** Those of a definition's actions that are registered, by reference. */
export type KnownActions = ReadonlyMap<string, ActionParameters>;

/** Looks up an action that is registered. */
export type ActionLookup = (ref: string) => ActionParameters | undefined;

/** Actions that do not exist, and inputs that do not fit them. Actions and inputs given as expressions are not looked at. */
export const contentProblems = ({ tasks }: WorkflowSpec, actions: ActionLookup): Problem[] =>
  [...tasks.values()].flatMap((task) => taskProblems(task, actions));

/** The actions that a definition names, also an unsound one: what `ActionLookup` will be asked for. */
export const actionsNamed = ({ tasks }: WorkflowSpec): readonly string[] =>
  [...new Set([...tasks.values()].flatMap(({ action }) => action ?? []))].filter((action) => !isExpression(action));

function taskProblems(task: TaskSpec, actions: ActionLookup): Problem[] {
  const { name, action } = task;
  if (action === undefined || isExpression(action)) return [];
  const at = { path: ['tasks', name, 'action'], schema: [...TASK_PROPERTIES, 'action'] };
  if (!parseReference(action))
    return [{ message: `The action reference "${action}" is not formatted correctly.`, ...at }];
  const parameters = actions(action);
  if (!parameters) return [{ message: `The action "${action}" is not registered in the database.`, ...at }];
  return inputProblems(task, action, parameters);
}

function inputProblems({ name, input = {} }: TaskSpec, action: string, parameters: ActionParameters): Problem[] {
  if (typeof input === 'string') return [];
  const path = ['tasks', name, 'input'];
  const schema = [...TASK_PROPERTIES, 'input'];
  const missing = Object.entries(parameters)
    .filter(([parameter, definition]) => isNeeded(definition) && !Object.hasOwn(input, parameter))
    .map(([parameter]) => ({ message: `Action "${action}" is missing required input "${parameter}".`, path, schema }));
  const unexpected = Object.keys(input)
    .filter((given) => !Object.hasOwn(parameters, given))
    .map((given) => ({
      message: `Action "${action}" has unexpected input "${given}".`,
      path: [...path, given],
      schema: [...schema, 'patternProperties', '^\\w+$'],
    }));
  return [...missing, ...unexpected];
}

const isNeeded = (definition: ActionParameters[string]): boolean =>
  definition.required === true && (definition.default === undefined || definition.default === null);
