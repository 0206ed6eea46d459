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

/**
 * The configuration of an action's pack, as an execution sees it.
 * @throws Fault `pack.config`
 */
export type ConfigFor = (
  pack: string,
  context: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

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
  configFor?: ConfigFor;
}

export function createParameterResolver({ lookupFor, configFor }: ResolverDeps = {}): ParameterResolver {
  const input = async (
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
    ...(configFor && readsConfig(definition, parameters)
      ? { config: await configFor(definition.action.pack, context) }
      : {}),
  });
  return {
    async resolve(definition, parameters, context, names) {
      const { runner, action } = definition;
      refuseImmutableOverrides(parameters, runner, action);
      const rendered = await asParameterFault(async () => {
        const given = await input(definition, parameters, context);
        return renderLiveParameters({ ...given, ...(names ? { extra: names } : {}) });
      });
      const cast = castParameters(rendered.parameters, definitionsOf(definition));
      validateParameters(cast, runner, action);
      return { parameters: cast, derivedSecrets: rendered.derivedSecrets };
    },
    async finish(definition, parameters, context) {
      const { runnerParameters, actionParameters } = await asParameterFault(async () =>
        renderFinalParameters(await input(definition, parameters, context)),
      );
      const definitions = definitionsOf(definition);
      return {
        runnerParameters: castParameters(runnerParameters, definitions),
        actionParameters: castParameters(actionParameters, definitions),
      };
    },
  };
}

/** Whether a template may read the pack's configuration, which costs a look at files. */
const readsConfig = ({ action, runner }: DefinitionRecord, parameters: Record<string, unknown>): boolean =>
  mentions(parameters) || mentions(action.parameters) || mentions(runner.runner_parameters);

function mentions(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('config_context');
  return typeof value === 'object' && value !== null && Object.values(value).some(mentions);
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
