import { fault } from '@switchyard/base';
import { compileSchema, pythonRepr } from '../schema';
import { effectiveSchema, mergeParameters, type ActionSide, type RunnerSide } from './definitions';
import type { Definitions } from '../records/action-record';

/**
 * Checks the values of an execution against the runner's and the action's definitions together.
 * @returns the values with the defaults of what is missing or null filled in. An execution keeps what its caller gave, so
 *   this is for looking at, not for storing.
 * @throws fault `schema.violated` in the wording of Python's jsonschema, such as `'cmd' is a required property`
 */
export function validateParameters(
  values: Readonly<Record<string, unknown>>,
  runner: RunnerSide,
  action: ActionSide,
): Record<string, unknown> {
  if (takesAnything(runner, action)) return { ...values };
  return compileSchema(effectiveSchema(runner, action), { allowNone: true }).assert(values) as Record<string, unknown>;
}

/**
 * Checks that every required parameter is there, whatever the values are like: templates may still be in them.
 * @throws fault `schema.violated` as `validateParameters` does, for what is missing or, before that, not defined
 */
export function refuseMissing(values: Readonly<Record<string, unknown>>, runner: RunnerSide, action: ActionSide): void {
  const definitions = Object.entries(mergeParameters(runner.runner_parameters, action.parameters));
  const isMissing = ([name, definition]: [string, Definitions[string]]): boolean =>
    definition.required === true && !('default' in definition) && !Object.hasOwn(values, name);
  if (!definitions.some(isMissing)) return;
  const properties = Object.fromEntries(
    definitions.map((entry) => [entry[0], isMissing(entry) ? { required: true } : {}]),
  );
  compileSchema({ type: 'object', properties, additionalProperties: false }, { allowNone: true }).assert(values);
}

/** Rules and workflows hand all sorts of values to no-operation actions that declare no parameters, such as `core.noop`. */
const takesAnything = (runner: RunnerSide, action: ActionSide): boolean =>
  runner.name === 'noop' && isEmpty(runner.runner_parameters) && isEmpty(action.parameters);

const isEmpty = (definitions: Definitions): boolean => Object.keys(definitions).length === 0;

/** The names among `values` that callers may not set. Naming one is an override, even with its default value. */
export function immutableOverrides(
  values: Readonly<Record<string, unknown>>,
  runner: RunnerSide,
  action: ActionSide,
): string[] {
  const sides = [action.parameters, runner.runner_parameters];
  return Object.keys(values).filter((name) =>
    sides.some((definitions) => Object.hasOwn(definitions, name) && definitions[name]?.immutable === true),
  );
}

/** @throws fault `parameter.immutable-override` when a caller's value is for an immutable parameter */
export function refuseImmutableOverrides(
  values: Readonly<Record<string, unknown>>,
  runner: RunnerSide,
  action: ActionSide,
): void {
  const names = immutableOverrides(values, runner, action);
  if (names.length > 0) throw fault('parameter.immutable-override', { names: pythonRepr(names) });
}
