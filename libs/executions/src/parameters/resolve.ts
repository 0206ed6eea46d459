import { fault, isFault, messageOf } from '@switchyard/base';
import { renderFinalParameters, renderLiveParameters, type DatastoreKey } from '@switchyard/expressions';
import {
  castParameters,
  mergeParameters,
  refuseImmutableOverrides,
  validateParameters,
  type DefinitionRecord,
  type Definitions,
} from '@switchyard/model';

export interface ResolvedParameters {
  parameters: Record<string, unknown>;
  /** Names of parameters into which a template copied a secret. */
  derivedSecrets: string[];
}

export interface FinalParameters {
  runnerParameters: Record<string, unknown>;
  actionParameters: Record<string, unknown>;
}

/** Looks up a datastore value for a template. @returns undefined when there is no such key */
export type Lookup = (key: DatastoreKey) => Promise<string | undefined>;

/** The look-ups of one execution: its context says whose items it reads. */
export type LookupFor = (context: Readonly<Record<string, unknown>>) => Lookup;

export interface ParameterResolver {
  /** At request time: the caller's values rendered, cast and checked. */
  resolve(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    context: Record<string, unknown>,
    /** Further names that templates may read, such as a rule's `trigger`. */
    names?: Readonly<Record<string, unknown>>,
  ): Promise<ResolvedParameters>;
  /** At run time: every value that the runner and the action get. */
  finish(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    context: Record<string, unknown>,
  ): Promise<FinalParameters>;
}

export interface ResolverDeps {
  lookupFor?: LookupFor;
}

export function createParameterResolver({ lookupFor }: ResolverDeps = {}): ParameterResolver {
  const input = (
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    context: Record<string, unknown>,
  ) => ({
    runnerParameters: definition.runner.runner_parameters,
    actionParameters: definition.action.parameters,
    parameters,
    context,
    cast: castOne(definition),
    ...(lookupFor ? { lookup: lookupFor(context) } : {}),
  });
  return {
    async resolve(definition, parameters, context, names) {
      const { runner, action } = definition;
      refuseImmutableOverrides(parameters, runner, action);
      const given = { ...input(definition, parameters, context), ...(names ? { extra: names } : {}) };
      const rendered = await asParameterFault(() => renderLiveParameters(given));
      const cast = castParameters(rendered.parameters, definitionsOf(definition));
      validateParameters(cast, runner, action);
      return { parameters: cast, derivedSecrets: rendered.derivedSecrets };
    },
    async finish(definition, parameters, context) {
      const { runnerParameters, actionParameters } = await asParameterFault(() =>
        renderFinalParameters(input(definition, parameters, context)),
      );
      const definitions = definitionsOf(definition);
      return {
        runnerParameters: castParameters(runnerParameters, definitions),
        actionParameters: castParameters(actionParameters, definitions),
      };
    },
  };
}

const definitionsOf = ({ runner, action }: DefinitionRecord): Definitions =>
  mergeParameters(runner.runner_parameters, action.parameters);

const castOne = (definition: DefinitionRecord) => (name: string, value: unknown) =>
  castParameters({ [name]: value }, definitionsOf(definition))[name];

/** Whatever goes wrong while rendering is the fault of what was asked for. */
async function asParameterFault<T>(render: () => Promise<T>): Promise<T> {
  try {
    return await render();
  } catch (error) {
    if (isFault(error)) throw error;
    throw fault('execution.parameters', { text: messageOf(error) }, { cause: error });
  }
}
