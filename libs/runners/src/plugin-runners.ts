import { fault, isPlainObject, messageOf } from '@switchyard/base';
import { checkParameterDefinitions, type ParameterDefinitions } from '@switchyard/model';
import { failedRun } from './run-process';
import type { RunAbilities, RunHandle, RunnerDeclaration, RunnerPlugin, RunRequest, RunResult } from './runner-plugin';

/** The part of a plug-in that concerns runners. */
interface PluginWithRunners {
  /** Name of the package. */
  readonly name: string;
  readonly runners: readonly unknown[];
}

/** What a runner of a plug-in may use from its service, see docs/plugins.md. */
type PluginAbilities = Pick<RunAbilities, 'logger' | 'output' | 'packConfig' | 'dispatch' | 'announce'>;

/** A runner as provided by a plug-in. Its runs may violate every part of the contract of `RunnerPlugin`. */
interface PluginRunner {
  run(request: RunRequest, abilities: PluginAbilities): Partial<RunHandle> | undefined;
  close?(): Promise<void>;
}

/**
 * The runners of plug-ins. A run that violates the contract of `RunnerPlugin` fails alone and does not affect the
 * service.
 * @throws Fault `config.plugin`
 */
export const pluginRunners = (plugins: readonly PluginWithRunners[]): RunnerPlugin[] =>
  plugins.flatMap(({ name, runners }) => runners.map((given) => pluginRunner(name, given)));

function pluginRunner(plugin: string, given: unknown): RunnerPlugin {
  const refuse = (expected: string, actual: unknown) =>
    fault('config.plugin', { name: plugin, expected, actual: JSON.stringify(actual) ?? typeof actual });
  const { manifest: declared, run, close, startsProcess } = (given ?? {}) as Record<string, unknown>;
  const manifest = checkedManifest(plugin, declared, refuse);
  const { name } = manifest;
  if (typeof run !== 'function') throw refuse(`the runner "${name}" to have a function "run"`, run);
  if (close !== undefined && typeof close !== 'function') throw refuse(`"close" of "${name}" to be a function`, close);
  const runner = given as PluginRunner;
  return {
    manifest,
    startsProcess: startsProcess === true,
    run: (request, abilities) => guardedRun(name, request, abilities, runner),
    ...(close && { close: async () => runner.close?.() }),
  };
}

type Refuse = (expected: string, actual: unknown) => Error;

function checkedManifest(plugin: string, declared: unknown, refuse: Refuse): RunnerDeclaration {
  if (!isPlainObject(declared)) throw refuse('each runner to have an object "manifest"', declared);
  const { name, description, enabled = true, runner_parameters = {}, output_key, output_schema = {} } = declared;
  if (typeof name !== 'string' || !/^[\w.-]{1,100}$/.test(name)) {
    throw refuse('"name" of a manifest to be a text of letters, digits, "_", "." and "-"', name);
  }
  const check = (field: string, value: unknown, type: string, isRight: boolean) => {
    if (!isRight) throw refuse(`"${field}" in the manifest of "${name}" to be ${type}`, value);
  };
  check('description', description, 'a text', typeof description === 'string');
  check('enabled', enabled, 'true or false', typeof enabled === 'boolean');
  check('output_key', output_key, 'a text', output_key === undefined || typeof output_key === 'string');
  check('output_schema', output_schema, 'an object', isPlainObject(output_schema));
  return {
    name,
    description: description as string,
    enabled: enabled as boolean,
    runner_package: plugin,
    runner_module: name,
    runner_parameters: checkedParameters(runner_parameters, name, refuse),
    ...(output_key === undefined ? {} : { output_key: output_key as string }),
    output_schema: output_schema as Record<string, unknown>,
  };
}

function checkedParameters(given: unknown, name: string, refuse: Refuse): ParameterDefinitions {
  try {
    checkParameterDefinitions(given, { actionRef: name, runnerParameters: {} });
    return given;
  } catch (error) {
    throw refuse(`"runner_parameters" in the manifest of "${name}" to be definitions of parameters`, messageOf(error));
  }
}

/** A run that ends with a valid result, whatever the code of the plug-in does. */
function guardedRun(name: string, request: RunRequest, given: RunAbilities, runner: PluginRunner): RunHandle {
  const { logger, output, packConfig, dispatch, announce } = given;
  let handle: Partial<RunHandle> | undefined;
  const work = async () => {
    handle = runner.run(request, { logger, output, packConfig, dispatch, announce });
    if (handle?.result === undefined) throw new Error('"run" must return an object with "result" and "cancel".');
    return validResult(await handle.result);
  };
  return {
    result: work().catch(failedRun),
    cancel() {
      try {
        handle?.cancel?.();
      } catch (error) {
        const fields = { runner: name, execution_id: request.executionId, error };
        logger.error('A runner of a plug-in failed to cancel its run.', fields);
      }
    },
  };
}

const STATUSES: readonly RunResult['status'][] = ['succeeded', 'failed', 'timeout', 'canceled'];

/** As JSON, the result cannot change later, and has no dates, functions or references to itself. */
function validResult(given: unknown): RunResult {
  const { status, result } = (given ?? {}) as Record<string, unknown>;
  const valid = STATUSES.find((known) => known === status);
  const plain: unknown = JSON.parse(JSON.stringify(result) ?? 'null');
  if (valid !== undefined && isPlainObject(plain)) return { status: valid, result: plain };
  const expected = `a status (${STATUSES.join(', ')}) and an object as result`;
  throw new Error(`The runner must end with ${expected}, not with status ${String(status)} and ${kindOf(plain)}.`);
}

const kindOf = (value: unknown): string =>
  value === null ? 'no result' : Array.isArray(value) ? 'a list' : `a result of type ${typeof value}`;
