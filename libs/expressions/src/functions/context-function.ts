import { ExpressionError, type HostFunction } from '../evaluate/scope';
import { toText } from '../jinja/values/text';
import type { WorkflowView } from './workflow-view';

const PRIVATE = '__';
/** Names that the engine has used for itself, and that exist as far as expressions can tell. */
const INTERNAL: readonly string[] = ['__vars', '__state', '__current_task', '__current_item'];

/** `ctx()`: all public variables; `ctx(name)`: one of them. */
export function contextFunction(view: WorkflowView): HostFunction {
  let visible: { readonly of: unknown; readonly variables: Readonly<Record<string, unknown>> } | undefined;
  const all = () => {
    // Made once: most expressions begin with `ctx()`, and contexts may be large.
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
    throw failure('VariableInaccessibleError', `The variable "${name}" is for internal use and inaccessible.`);
  }
  if (!exists) throw failure('VariableUndefinedError', `The variable "${name}" is undefined.`);
  return variables[name] ?? null;
}

const failure = (kind: string, message: string): ExpressionError => new ExpressionError(kind, message, '');
