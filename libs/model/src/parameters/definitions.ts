import type { ActionRecord, ParameterDefinitions, RunnerTypeRecord } from '../resources/action';
import type { Schema } from '../schema';

/** The part of a runner that defines parameters. */
export type RunnerSide = Pick<RunnerTypeRecord, 'name' | 'runner_parameters'>;
/** The part of an action that defines parameters. */
export type ActionSide = Pick<ActionRecord, 'name' | 'parameters'>;

const merges = new WeakMap<ParameterDefinitions, WeakMap<ParameterDefinitions, ParameterDefinitions>>();

/**
 * The definitions for an execution: the runner's, with single attributes overridden by the action's, then the action's own. An
 * action can neither remove a default with null nor make a secret public. The result is cached by the two objects, which must
 * not change afterwards.
 */
export function mergeParameters(
  runnerParameters: ParameterDefinitions,
  actionParameters: ParameterDefinitions,
): ParameterDefinitions {
  const known = merges.get(runnerParameters) ?? new WeakMap<ParameterDefinitions, ParameterDefinitions>();
  merges.set(runnerParameters, known);
  const merged = known.get(actionParameters) ?? merge(runnerParameters, actionParameters);
  known.set(actionParameters, merged);
  return merged;
}

function merge(runnerParameters: ParameterDefinitions, actionParameters: ParameterDefinitions): ParameterDefinitions {
  const overlaid = Object.entries(runnerParameters).map(
    ([name, definition]): [string, ParameterDefinitions[string]] => [
      name,
      Object.hasOwn(actionParameters, name) ? overlay(definition, actionParameters[name] ?? {}) : definition,
    ],
  );
  const own = Object.entries(actionParameters).filter(([name]) => !Object.hasOwn(runnerParameters, name));
  return Object.fromEntries([...overlaid, ...own]);
}

function overlay(
  below: ParameterDefinitions[string],
  above: ParameterDefinitions[string],
): ParameterDefinitions[string] {
  const merged = { ...below, ...above };
  if ((above.default ?? null) === null && 'default' in below) merged.default = below.default;
  if (below.secret === true) merged.secret = true;
  return merged;
}

const schemas = new WeakMap<ParameterDefinitions, Schema>();

/** The schema for a full set of parameters. It rejects undefined parameters. */
export function effectiveSchema(runner: RunnerSide, action: ActionSide): Schema {
  const merged = mergeParameters(runner.runner_parameters, action.parameters);
  const known = schemas.get(merged);
  if (known) return known;
  const schema = { type: 'object', properties: merged, additionalProperties: false };
  schemas.set(merged, schema);
  return schema;
}
