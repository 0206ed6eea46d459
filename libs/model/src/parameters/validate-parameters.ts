import { fault } from '@switchyard/base';
import { compileSchema, pythonRepr } from '../schema';
import { effectiveSchema, mergeParameters, type ActionSide, type RunnerSide } from './definitions';
import type { ParameterDefinitions } from '../resources/action';

/**
 * Checks the values of an execution against the definitions of runner and action.
 * @returns the values with defaults for missing and null ones. Do not store them: an execution keeps the values of its caller.
 * @throws fault `schema.violated` with a message of Python's jsonschema, such as `'cmd' is a required property`
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
 * Checks only that every required parameter is present, because values may still contain templates.
 * @throws fault `schema.violated` as `validateParameters` does, for missing parameters or, before that, undefined ones
 */
export function refuseMissing(values: Readonly<Record<string, unknown>>, runner: RunnerSide, action: ActionSide): void {
  const definitions = Object.entries(mergeParameters(runner.runner_parameters, action.parameters));
  const isMissing = ([name, definition]: [string, ParameterDefinitions[string]]): boolean =>
    definition.required === true && !('default' in definition) && !Object.hasOwn(values, name);
  if (!definitions.some(isMissing)) return;
  const properties = Object.fromEntries(
    definitions.map((entry) => [entry[0], isMissing(entry) ? { required: true } : {}]),
  );
  compileSchema({ type: 'object', properties, additionalProperties: false }, { allowNone: true }).assert(values);
}

/** Rules and workflows pass arbitrary values to noop actions without parameters, such as `core.noop`. */
const takesAnything = (runner: RunnerSide, action: ActionSide): boolean =>
  runner.name === 'noop' && isEmpty(runner.runner_parameters) && isEmpty(action.parameters);

const isEmpty = (definitions: ParameterDefinitions): boolean => Object.keys(definitions).length === 0;

/** The names among `values` that callers must not set, not even to their default. */
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

/** @throws fault `parameter.immutable-override` if a caller sets an immutable parameter */
export function refuseImmutableOverrides(
  values: Readonly<Record<string, unknown>>,
  runner: RunnerSide,
  action: ActionSide,
): void {
  const names = immutableOverrides(values, runner, action);
  if (names.length > 0) throw fault('parameter.immutable-override', { names: pythonRepr(names) });
}
