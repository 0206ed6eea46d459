import { mergeParameters, type ActionSide, type RunnerSide } from './definitions';
import type { Definitions } from '../records/action-record';

/** One value of an execution and where it comes from: defaults may hold templates, given values are rendered already. */
export interface ResolvedValue {
  readonly value: unknown;
  readonly origin: 'given' | 'default';
}

/**
 * A value for every defined parameter, in the order of the definitions: the caller's, else the action's default, else the
 * runner's, else null. Null means "not given". An immutable parameter has its default, whatever was given. Names that are
 * not defined are left out.
 */
export function resolveValues(
  values: Readonly<Record<string, unknown>>,
  runner: RunnerSide,
  action: ActionSide,
): Map<string, ResolvedValue> {
  const merged = mergeParameters(runner.runner_parameters, action.parameters);
  return new Map(Object.entries(merged).map(([name, definition]) => [name, resolve(name, definition, values)]));
}

function resolve(
  name: string,
  definition: Definitions[string],
  values: Readonly<Record<string, unknown>>,
): ResolvedValue {
  const given = Object.hasOwn(values, name) ? (values[name] ?? null) : null;
  if (given !== null && definition.immutable !== true) return { value: given, origin: 'given' };
  return { value: definition.default ?? null, origin: 'default' };
}

export interface SplitParameters {
  readonly runnerParameters: Record<string, unknown>;
  readonly actionParameters: Record<string, unknown>;
}

/** The final values, defaults included, of the runner's parameters and of those that are the action's alone. */
export function splitParameters(
  values: Readonly<Record<string, unknown>>,
  runner: RunnerSide,
  action: ActionSide,
): SplitParameters {
  const entries = [...resolveValues(values, runner, action)].map(([name, { value }]): [string, unknown] => [
    name,
    value,
  ]);
  const isRunners = ([name]: [string, unknown]): boolean => Object.hasOwn(runner.runner_parameters, name);
  return {
    runnerParameters: Object.fromEntries(entries.filter(isRunners)),
    actionParameters: Object.fromEntries(entries.filter((entry) => !isRunners(entry))),
  };
}
