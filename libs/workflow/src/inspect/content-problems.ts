import { isExpression } from '@switchyard/expressions';
import { parseReference } from '@switchyard/model';
import type { TaskSpec, WorkflowSpec } from '../spec/model';
import { type InspectionProblem, TASK_PROPERTIES } from './finding';

/** The parameters of an action and its runner by name, as far as inspection needs them. */
export type ActionParameters = Readonly<Record<string, { readonly required?: boolean; readonly default?: unknown }>>;

/** What is known of an action; `hidden` if the author may not learn whether it exists. */
type KnownAction = ActionParameters | 'hidden';

/** The registered and the hidden actions of a definition, by reference. */
export type KnownActions = ReadonlyMap<string, KnownAction>;

/** Looks up an action. Undefined if it is not registered. */
export type ActionLookup = (ref: string) => KnownAction | undefined;

/** Finds unknown actions and unsuitable inputs. Actions and inputs given as expressions are not checked. */
export const contentProblems = ({ tasks }: WorkflowSpec, actions: ActionLookup): InspectionProblem[] =>
  [...tasks.values()].flatMap((task) => taskProblems(task, actions));

/** The actions that a definition names, even an invalid one: what `ActionLookup` will be called with. */
export const actionsNamed = ({ tasks }: WorkflowSpec): readonly string[] =>
  [...new Set([...tasks.values()].flatMap(({ action }) => action ?? []))].filter((action) => !isExpression(action));

function taskProblems(task: TaskSpec, actions: ActionLookup): InspectionProblem[] {
  const { name, action } = task;
  if (action === undefined || isExpression(action)) return [];
  const at = { path: ['tasks', name, 'action'], schema: [...TASK_PROPERTIES, 'action'] };
  if (!parseReference(action))
    return [{ message: `The action reference "${action}" is not formatted correctly.`, ...at }];
  const parameters = actions(action);
  if (parameters === 'hidden') return [];
  if (!parameters) return [{ message: `The action "${action}" is not registered in the database.`, ...at }];
  return inputProblems(task, action, parameters);
}

function inputProblems(
  { name, input = {} }: TaskSpec,
  action: string,
  parameters: ActionParameters,
): InspectionProblem[] {
  if (typeof input === 'string') return [];
  const path = ['tasks', name, 'input'];
  const schema = [...TASK_PROPERTIES, 'input'];
  const missing = Object.entries(parameters)
    .filter(([parameter, definition]) => isNeeded(definition) && !Object.hasOwn(input, parameter))
    .map(([parameter]) => parameter)
    .sort()
    .map((parameter) => ({ message: `Action "${action}" is missing required input "${parameter}".`, path, schema }));
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
