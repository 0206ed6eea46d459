import type { ActionRecord, Definitions, RunnerTypeRecord } from '../records/action-record';
import type { Schema } from '../schema';

/** What parameters need to know of a runner. */
export type RunnerSide = Pick<RunnerTypeRecord, 'name' | 'runner_parameters'>;
/** What parameters need to know of an action. */
export type ActionSide = Pick<ActionRecord, 'name' | 'parameters'>;

const merges = new WeakMap<Definitions, WeakMap<Definitions, Definitions>>();

/**
 * The definitions that hold for an execution: the runner's, attribute by attribute overlaid with the action's, then the
 * action's own. An action cannot take away a default by null, nor make a secret public. The result is kept by the two
 * objects, which must not be changed afterwards.
 */
export function mergeParameters(runnerParameters: Definitions, actionParameters: Definitions): Definitions {
  const known = merges.get(runnerParameters) ?? new WeakMap<Definitions, Definitions>();
  merges.set(runnerParameters, known);
  const merged = known.get(actionParameters) ?? merge(runnerParameters, actionParameters);
  known.set(actionParameters, merged);
  return merged;
}

function merge(runnerParameters: Definitions, actionParameters: Definitions): Definitions {
  const overlaid = Object.entries(runnerParameters).map(([name, definition]): [string, Definitions[string]] => [
    name,
    Object.hasOwn(actionParameters, name) ? overlay(definition, actionParameters[name] ?? {}) : definition,
  ]);
  const own = Object.entries(actionParameters).filter(([name]) => !Object.hasOwn(runnerParameters, name));
  return Object.fromEntries([...overlaid, ...own]);
}

function overlay(below: Definitions[string], above: Definitions[string]): Definitions[string] {
  const merged = { ...below, ...above };
  if ((above.default ?? null) === null && 'default' in below) merged.default = below.default;
  if (below.secret === true) merged.secret = true;
  return merged;
}

const schemas = new WeakMap<Definitions, Schema>();

/** The schema that a full set of parameters has to satisfy. Nothing but what is defined may be given. */
export function effectiveSchema(runner: RunnerSide, action: ActionSide): Schema {
  const merged = mergeParameters(runner.runner_parameters, action.parameters);
  const known = schemas.get(merged);
  if (known) return known;
  const schema = { type: 'object', properties: merged, additionalProperties: false };
  schemas.set(merged, schema);
  return schema;
}
