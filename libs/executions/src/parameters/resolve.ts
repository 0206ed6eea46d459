import { fault, isFault, messageOf } from '@switchyard/base';
import { renderFinalParameters, renderLiveParameters } from '@switchyard/expressions';
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
export type Lookup = (key: { scope: 'system' | 'user'; name: string; decrypt: boolean }) => Promise<string | undefined>;

export interface ParameterResolver {
  /** At request time: the caller's values rendered, cast and checked. */
  resolve(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    context: Record<string, unknown>,
  ): Promise<ResolvedParameters>;
  /** At run time: every value that the runner and the action get. */
  finish(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    context: Record<string, unknown>,
  ): Promise<FinalParameters>;
}

export interface ResolverDeps {
  lookup?: Lookup;
}

export function createParameterResolver({ lookup }: ResolverDeps = {}): ParameterResolver {
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
    ...(lookup ? { lookup } : {}),
  });
  return {
    async resolve(definition, parameters, context) {
      const { runner, action } = definition;
      refuseImmutableOverrides(parameters, runner, action);
      const rendered = await asParameterFault(() => renderLiveParameters(input(definition, parameters, context)));
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
