import { fault } from '@switchyard/base';
import type { ParameterDefinitions } from '../resources/action';
import { checkSchema, compileSchema, pythonRepr, sameJson, type Schema } from '../schema';
import {
  amongDefinitions,
  draft4Dependencies,
  draft4Keywords,
  draft4Metaschema,
  simpleTypes,
} from '../schema/draft4-metaschema';

export interface DefinitionContext {
  readonly actionRef: string;
  readonly runnerParameters: ParameterDefinitions;
  /**
   * Schemas inside a definition must be plain draft 4, where `required` is a list. The actions API requires that; metadata
   * files of packs may also use the boolean there. Default: false.
   */
  readonly plainNested?: boolean;
}

/**
 * Checks the parameter definitions of an action before it is stored.
 * @throws fault `parameter.definition` in the wording of Python's jsonschema, `regex.invalid`, or one that names the rule
 *   which is broken: positions, immutable parameters, overrides of the runner's parameters
 */
export function checkParameterDefinitions(
  parameters: unknown,
  context: DefinitionContext,
): asserts parameters is ParameterDefinitions {
  const { plainNested = false } = context;
  const outcome = compileSchema(definitionsSchema(plainNested), { fillDefaults: false, pick: 'first' }).check(
    parameters,
  );
  if (!outcome.ok) throw fault('parameter.definition', { text: outcome.violation.message });
  const definitions = parameters as ParameterDefinitions;
  const taken = new Map<number, string>();
  for (const [name, definition] of Object.entries(definitions)) {
    checkOverrides(name, definition, context);
    checkPosition(name, definition, taken);
    checkImmutable(name, definition, context);
  }
  checkContiguous([...taken.keys()]);
  checkSchema({ properties: definitions });
}

/**
 * Checks the schema of an action's output. Its attributes are those of a parameter; unknown ones are ignored.
 * @throws fault `parameter.definition` in the wording of Python's jsonschema
 */
export function checkOutputSchema(schema: unknown): void {
  const outcome = compileSchema(outputSchema, { fillDefaults: false, pick: 'first' }).check(schema);
  if (!outcome.ok) throw fault('parameter.definition', { text: outcome.violation.message });
}

const overridable: ReadonlySet<string> = new Set(['default', 'description', 'enum', 'immutable', 'required']);

function checkOverrides(
  name: string,
  definition: ParameterDefinitions[string],
  { actionRef, runnerParameters }: DefinitionContext,
): void {
  if (!Object.hasOwn(runnerParameters, name)) return;
  for (const [attribute, value] of Object.entries(definition)) {
    if (overridable.has(attribute) || sameJson(value, runnerParameters[name]?.[attribute])) continue;
    throw fault('parameter.attribute-override', { attribute, name, ref: actionRef });
  }
}

function checkPosition(name: string, { position }: ParameterDefinitions[string], taken: Map<number, string>): void {
  if (typeof position !== 'number') return;
  const other = taken.get(position);
  if (other !== undefined) throw fault('parameter.position-taken', { name, other, position });
  taken.set(position, name);
}

/** The mere presence of the attribute counts, for compatibility. */
function checkImmutable(
  name: string,
  definition: ParameterDefinitions[string],
  { runnerParameters }: DefinitionContext,
): void {
  if (!('immutable' in definition)) return;
  const runners = Object.hasOwn(runnerParameters, name) ? runnerParameters[name] : undefined;
  if (runners && 'immutable' in runners) throw fault('parameter.immutable-in-runner', { name });
  const hasDefault = 'default' in definition || (runners !== undefined && 'default' in runners);
  if (!hasDefault) throw fault('parameter.immutable-without-default', { name });
}

/** Positions are integers. They may start anywhere but must be consecutive. */
function checkContiguous(positions: readonly number[]): void {
  const sorted = positions.toSorted((a, b) => a - b);
  if (sorted.every((position, index) => Number.isInteger(position) && position === (sorted[0] ?? 0) + index)) return;
  throw fault('parameter.positions-apart', { positions: pythonRepr(sorted) });
}

const plain = build(true);
const dialect = build(false);

/** The schema of a set of parameter definitions. @param plainNested schemas inside a definition must be plain draft 4 */
const definitionsSchema = (plainNested: boolean): Schema => (plainNested ? plain : dialect);

function build(plainNested: boolean): Schema {
  return {
    type: 'object',
    patternProperties: { '^\\w+$': { $ref: '#/definitions/parameter' } },
    additionalProperties: false,
    definitions: {
      schema: amongDefinitions(draft4Metaschema(!plainNested)),
      parameter: amongDefinitions({ ...attributes(), additionalProperties: false }),
    },
  };
}

const outputSchema: Schema = {
  ...amongDefinitions(attributes()),
  definitions: { schema: amongDefinitions(draft4Metaschema(true)) },
};

function attributes(): Schema {
  return {
    type: 'object',
    properties: {
      ...draft4Keywords,
      // A single alternative, because clients know the message that an alternative produces.
      type: { anyOf: [{ enum: simpleTypes }] },
      required: { type: 'boolean' },
      secret: { type: 'boolean' },
      immutable: { type: 'boolean' },
      position: { type: 'number', minimum: 0 },
    },
    dependencies: draft4Dependencies,
  };
}
