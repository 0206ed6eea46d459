import { fault, isFault, messageOf } from '@switchyard/base';
import {
  Allowance,
  renderFinalParameters,
  renderLiveParameters,
  type AllowanceLimits,
  type DatastoreLookup,
  type SecretPath,
} from '@switchyard/expressions';
import {
  castParameters,
  mergeParameters,
  refuseImmutableOverrides,
  refuseMissing,
  validateParameters,
  type DefinitionRecord,
  type ParameterDefinitions,
} from '@switchyard/model';

interface ResolvedParameters {
  parameters: Record<string, unknown>;
  /** Names of parameters into which a template copied a secret, in this rendering or an earlier one. */
  derivedSecrets: string[];
}

export interface FinalParameters {
  runnerParameters: Record<string, unknown>;
  actionParameters: Record<string, unknown>;
  /** Names of parameters into which a template copied a secret in this rendering. */
  derivedSecrets: string[];
}

/** The datastore look-up of one execution: the context determines whose items it reads. */
export type LookupFor = (context: Readonly<Record<string, unknown>>) => DatastoreLookup;

/** The configuration of a pack, and the paths of its secrets. */
export interface PackConfig {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: readonly SecretPath[];
}

/**
 * The configuration of an action's pack, as an execution sees it.
 * @throws Fault `pack.config`
 */
export type ConfigFor = (pack: string, context: Readonly<Record<string, unknown>>) => Promise<PackConfig>;

interface ResolveOptions {
  /** Further names that templates may read, such as a rule's `trigger`. */
  names?: Readonly<Record<string, unknown>> | undefined;
  /** Names of values that are data: templates in them are not rendered. */
  literal?: readonly string[] | undefined;
  /** Names of parameters that are secret as a whole, whatever their definitions say. */
  derivedSecrets?: readonly string[] | undefined;
}

export interface ParameterResolver {
  /** At request time: the caller's values rendered, cast and checked. */
  resolve(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    context: Record<string, unknown>,
    options?: ResolveOptions,
  ): Promise<ResolvedParameters>;
  /** At run time: every value that the runner and the action get. */
  finish(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    context: Record<string, unknown>,
  ): Promise<FinalParameters>;
}

interface ResolverDeps {
  lookupFor?: LookupFor;
  configFor?: ConfigFor;
  /** The total cost that the templates of one request may have. */
  expressionLimits?: AllowanceLimits;
}

export function createParameterResolver({
  lookupFor,
  configFor,
  expressionLimits,
}: ResolverDeps = {}): ParameterResolver {
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
    allowance: new Allowance(expressionLimits),
    ...(lookupFor ? { lookup: lookupFor(context) } : {}),
    ...(configFor && readsConfig(definition, parameters)
      ? configInput(await configFor(definition.action.pack, context))
      : {}),
  });
  return {
    async resolve(definition, parameters, context, { names, literal, derivedSecrets: before = [] } = {}) {
      const { runner, action } = definition;
      // Clients expect the errors in this order: missing, templates, values, immutable.
      refuseMissing(parameters, runner, action);
      const rendered = await asParameterFault(async () => {
        const given = await input(definition, parameters, context);
        return renderLiveParameters({
          ...given,
          secret: before,
          ...(names ? { extra: names } : {}),
          ...(literal ? { literal } : {}),
        });
      });
      const derivedSecrets = [...new Set([...rendered.derivedSecrets, ...before])];
      const cast = discreetly(definition, derivedSecrets, (sides) => {
        const values = castParameters(rendered.parameters, definitionsOf(sides));
        validateParameters(values, sides.runner, sides.action);
        return values;
      });
      refuseImmutableOverrides(parameters, runner, action);
      return { parameters: cast, derivedSecrets };
    },
    async finish(definition, parameters, context) {
      const { runnerParameters, actionParameters, derivedSecrets } = await asParameterFault(async () =>
        renderFinalParameters(await input(definition, parameters, context)),
      );
      return discreetly(definition, derivedSecrets, (sides) => ({
        runnerParameters: castParameters(runnerParameters, definitionsOf(sides)),
        actionParameters: castParameters(actionParameters, definitionsOf(sides)),
        derivedSecrets,
      }));
    },
  };
}

const configInput = ({ values, secrets }: PackConfig) => ({ config: values, configSecrets: secrets });

/** Whether a template may read the pack's configuration, which costs a read of the store. */
const readsConfig = ({ action, runner }: DefinitionRecord, parameters: Record<string, unknown>): boolean =>
  mentions(parameters) || mentions(action.parameters) || mentions(runner.runner_parameters);

function mentions(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('config_context');
  return typeof value === 'object' && value !== null && Object.values(value).some(mentions);
}

type Sides = Pick<DefinitionRecord, 'runner' | 'action'>;

/** Error messages quote values. If any are secret, the work is repeated with them marked as secret, so that they are not quoted. */
function discreetly<T>(sides: Sides, secrets: readonly string[], work: (sides: Sides) => T): T {
  try {
    return work(sides);
  } catch (error) {
    if (secrets.length === 0) throw error;
    return work(withSecrets(sides, secrets));
  }
}

function withSecrets({ runner, action }: Sides, names: readonly string[]): Sides {
  const marked = (definitions: ParameterDefinitions): ParameterDefinitions => {
    const own = names.filter((name) => Object.hasOwn(definitions, name));
    return { ...definitions, ...Object.fromEntries(own.map((name) => [name, { ...definitions[name], secret: true }])) };
  };
  return {
    runner: { ...runner, runner_parameters: marked(runner.runner_parameters) },
    action: { ...action, parameters: marked(action.parameters) },
  };
}

const definitionsOf = ({ runner, action }: Sides): ParameterDefinitions =>
  mergeParameters(runner.runner_parameters, action.parameters);

const castOne = (definition: DefinitionRecord) => (name: string, value: unknown) =>
  castParameters({ [name]: value }, definitionsOf(definition))[name];

/** Turns any error of rendering into a fault of the request. */
async function asParameterFault<T>(render: () => Promise<T>): Promise<T> {
  try {
    return await render();
  } catch (error) {
    if (isFault(error)) throw error;
    throw fault('execution.parameters', { text: messageOf(error) }, { cause: error });
  }
}
