import { isPlainObject } from '@switchyard/base';
import { type HostFunction, ExpressionError } from '../evaluate/scope';
import { toText } from '../jinja/values/text';
import type { DatastoreKey } from '../jinja';
import { PURE_FUNCTIONS } from './pure-functions';
import type { WorkflowView, CurrentTask } from './workflow-view';

/**
 * All functions of workflow expressions by name: those that read the workflow through its view, and the pure ones. The
 * view is read when an expression calls a function, so one map can serve all expressions of a state.
 */
export function workflowFunctions(view: WorkflowView): ReadonlyMap<string, HostFunction> {
  const datastore = datastoreFunction(view);
  return new Map<string, HostFunction>([
    ...PURE_FUNCTIONS,
    ['ctx', contextFunction(view)],
    ['item', itemFunction(view)],
    ...currentTaskFunctions(view),
    ...taskFunctions(view),
    ['st2kv', datastore],
    ['svckv', datastore],
  ]);
}

const PRIVATE = '__';
/** Names used internally by the reference engine; expressions can see that they exist, but cannot read them. */
const INTERNAL: readonly string[] = ['__vars', '__state', '__current_task', '__current_item'];

/** `ctx()` returns all public variables, `ctx(name)` one of them. */
function contextFunction(view: WorkflowView): HostFunction {
  let visible: { readonly of: unknown; readonly variables: Readonly<Record<string, unknown>> } | undefined;
  const all = () => {
    // Cached: most expressions begin with `ctx()`, and contexts may be large.
    if (visible?.of !== view.variables) visible = { of: view.variables, variables: publicOnes(view.variables) };
    return visible.variables;
  };
  return {
    parameters: ['key'],
    required: 0,
    call: ([key]) => (isGiven(key) ? variable(view.variables, key) : all()),
  };
}

const isGiven = (key: unknown): boolean =>
  key !== undefined && key !== null && key !== '' && key !== false && key !== 0;

function publicOnes(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Object.keys(variables).some((name) => name.startsWith(PRIVATE))) return variables;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith(PRIVATE)));
}

function variable(variables: Readonly<Record<string, unknown>>, key: unknown): unknown {
  const name = toText(key);
  const exists = typeof key === 'string' && Object.hasOwn(variables, name);
  if (name.startsWith(PRIVATE) && (exists || INTERNAL.includes(name))) {
    throw variableFailure('VariableInaccessibleError', `The variable "${name}" is for internal use and inaccessible.`);
  }
  if (!exists) throw variableFailure('VariableUndefinedError', `The variable "${name}" is undefined.`);
  return variables[name] ?? null;
}

const variableFailure = (kind: string, message: string): ExpressionError => new ExpressionError(kind, message, '');

/**
 * `item()` returns the current item of a with-items task, or null outside of one; `item(name)` returns a named part.
 */
const itemFunction = (view: WorkflowView): HostFunction => ({
  parameters: ['key'],
  required: 0,
  call: ([key]) => (key === undefined || key === null || key === '' ? (view.item ?? null) : partOf(view.item, key)),
});

function partOf(item: unknown, key: unknown): unknown {
  if (!isPlainObject(item)) throw failure('Item is not type of collections.abc.Mapping.');
  const name = toText(key);
  if (!Object.hasOwn(item, name)) throw failure(`Item does not have key "${name}".`);
  return item[name] ?? null;
}

const COMPLETED: readonly string[] = ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled'];

/** `result()`, `succeeded()`, `failed()` and `completed()` for the task that has just ended. */
const currentTaskFunctions = (view: WorkflowView): [string, HostFunction][] => [
  ['result', ofCurrentTask(view, ({ result }) => result ?? null)],
  ['succeeded', ofCurrentTask(view, ({ status }) => status === 'succeeded')],
  ['failed', ofCurrentTask(view, ({ status }) => status === 'failed')],
  ['completed', ofCurrentTask(view, ({ status }) => COMPLETED.includes(status))],
];

const ofCurrentTask = (view: WorkflowView, read: (task: CurrentTask) => unknown): HostFunction => ({
  parameters: [],
  required: 0,
  call: () => {
    if (view.currentTask !== undefined) return read(view.currentTask);
    throw new ExpressionError('ExpressionEvaluationException', 'The current task is not set in the context.', '');
  },
});

/** `task_status(id, route)` and `task(id, route)`: status and record of any task. */
const taskFunctions = (view: WorkflowView): [string, HostFunction][] => [
  [
    'task_status',
    {
      parameters: ['task_id', 'route'],
      required: 1,
      call: ([id, route]) => view.taskStatus(toText(id), routeOf(route) ?? view.currentTask?.route) ?? 'null',
    },
  ],
  [
    'task',
    { parameters: ['task_id', 'route'], required: 0, call: ([id, route]) => taskRecord(view, id, routeOf(route)) },
  ],
];

function taskRecord(view: WorkflowView, givenId: unknown, route: number | undefined): unknown {
  const id = givenId ?? view.currentTask?.id;
  if (id === undefined) throw failure('The current task is not set in the context.');
  const name = toText(id);
  const record = view.task?.(name, route ?? view.currentTask?.route);
  if (record === undefined) throw failure(`Unable to find task execution for "${name}".`);
  return record;
}

function routeOf(route: unknown): number | undefined {
  if (route === undefined || route === null) return undefined;
  if (typeof route === 'number' && Number.isInteger(route) && route >= 0) return route;
  throw new ExpressionError('TypeError', 'The route of a task must be a route number.', '');
}

const failure = (message: string): ExpressionError => new ExpressionError('ExpressionEvaluationException', message, '');

/**
 * `st2kv(key, decrypt, default)`: `system.NAME` is an item of the system, any other key an item of the user who runs
 * the workflow.
 */
const datastoreFunction = (view: WorkflowView): HostFunction => ({
  parameters: ['key', 'decrypt', 'default'],
  required: 1,
  call: ([key, decrypt = false, fallback]) => {
    if (typeof key !== 'string') throw new ExpressionError('TypeError', 'Given key is not typeof string.', '');
    if (typeof decrypt !== 'boolean') {
      throw new ExpressionError('TypeError', 'Decrypt parameter is not typeof bool.', '');
    }
    const wanted = datastoreKey(key, decrypt);
    const value = view.datastore?.(wanted) ?? fallback;
    if (value !== undefined) return value;
    const message = `The key "${storedName(wanted, view)}" does not exist in the StackStorm datastore.`;
    throw new ExpressionError('ExpressionEvaluationException', message, '');
  },
});

/** The stored name of the item, as the datastore API reports it. */
function storedName({ scope, name }: DatastoreKey, { variables }: WorkflowView): string {
  const caller = variables['st2'];
  const user = isPlainObject(caller) ? caller['user'] : undefined;
  return scope === 'user' && typeof user === 'string' ? `${user}:${name}` : name;
}

const SYSTEM = 'system.';

const datastoreKey = (key: string, decrypt: boolean): DatastoreKey =>
  key.startsWith(SYSTEM)
    ? { scope: 'system', name: key.slice(SYSTEM.length), decrypt }
    : { scope: 'user', name: key, decrypt };
