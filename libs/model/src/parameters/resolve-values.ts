import { mergeParameters, type ActionSide, type RunnerSide } from './definitions';
import type { ParameterDefinitions } from '../resources/action';

/** One value of an execution and its source: defaults may contain templates, given values are already rendered. */
export interface ResolvedValue {
  readonly value: unknown;
  readonly origin: 'given' | 'default';
}

/**
 * Resolves a value for every defined parameter, in the order of the definitions: the caller's, else the action's default, else
 * the runner's, else null. Null means "not given". An immutable parameter always has its default. Undefined parameters are
 * omitted.
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
  definition: ParameterDefinitions[string],
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

/** The final values, including defaults: those of the runner's parameters, and those of the action's own. */
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
