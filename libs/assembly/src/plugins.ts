import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fault, isPlainObject, messageOf } from '@switchyard/base';

/** The version of the contract in docs/plugins.md. It changes when plug-ins of an earlier version would no longer work. */
export const PLUGIN_CONTRACT = 1;

/** What a package provides. The libraries that use its runners and backends check them. */
export interface LoadedPlugin {
  /** The name of the package. */
  readonly name: string;
  readonly runners: readonly unknown[];
  readonly authBackends: Readonly<Record<string, unknown>>;
  readonly roleBackends: Readonly<Record<string, unknown>>;
}

/**
 * Loads packages that are installed in the `node_modules` of a directory.
 * @throws Fault `config.plugin` for one that is missing, fails while it is loaded, or does not fulfil the contract
 */
export function loadPlugins(names: readonly string[], directory: string): LoadedPlugin[] {
  const load = createRequire(join(directory, 'package.json'));
  return names.map((name) => checked(name, exported(name, directory, load)));
}

function exported(name: string, directory: string, load: NodeJS.Require): unknown {
  try {
    load.resolve(name);
  } catch (cause) {
    const expected = `a package installed in ${directory} (npm install --prefix ${directory} ${name})`;
    throw fault('config.plugin', { name, expected, actual: `"${firstLine(cause)}"` }, { cause });
  }
  try {
    const given = load(name) as unknown;
    // An ES module has its default export under this name.
    return isObject(given) && 'default' in given && !('contract' in given) ? given['default'] : given;
  } catch (cause) {
    throw fault('config.plugin', { name, expected: 'a module', actual: `the error "${firstLine(cause)}"` }, { cause });
  }
}

function checked(name: string, given: unknown): LoadedPlugin {
  const refuse = (expected: string, actual: string) => fault('config.plugin', { name, expected, actual });
  if (!isObject(given)) throw refuse('an object as its export', kindOf(given));
  const { contract, runners = [], authBackends = {}, roleBackends = {} } = given;
  if (contract !== PLUGIN_CONTRACT) {
    throw refuse(`contract: ${PLUGIN_CONTRACT}, the version of this product`, `contract: ${JSON.stringify(contract)}`);
  }
  if (!Array.isArray(runners)) throw refuse('runners to be a list', kindOf(runners));
  if (!isPlainObject(authBackends)) throw refuse('authBackends to be an object', kindOf(authBackends));
  if (!isPlainObject(roleBackends)) throw refuse('roleBackends to be an object', kindOf(roleBackends));
  if ([runners, Object.keys(authBackends), Object.keys(roleBackends)].every(({ length }) => length === 0)) {
    throw refuse('runners, authBackends or roleBackends', `an object with ${Object.keys(given).join(', ')}`);
  }
  return { name, runners, authBackends, roleBackends };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);

const firstLine = (error: unknown): string => messageOf(error).split('\n', 1)[0] ?? '';
