import { join, resolve } from 'node:path';
import { pythonStr } from '@switchyard/model';
import type { RunAbilities, RunRequest } from '../runner-plugin';
import { librariesOf, type ScriptInterpreter } from './interpreter';
import type { PythonSettings } from './python-settings';

/** The environment of an action. */
export interface PythonEnvironment {
  /** All environment variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The pack's part of `PYTHONPATH`; the rest is the same for all packs. */
  readonly pythonPath: readonly string[];
  /** True when some variables only take effect at interpreter startup. */
  readonly needsOwnInterpreter: boolean;
}

/** The environment variables of a Python action, and whether it can use a warm worker. */
export function pythonEnvironment(
  request: RunRequest,
  { config: { environment } }: Pick<RunAbilities, 'config'>,
  interpreter: ScriptInterpreter,
  packDirectory: string,
  { commonLibs }: Pick<PythonSettings, 'commonLibs'>,
): PythonEnvironment {
  const given = givenVariables(request.runnerParameters['env']);
  const pythonPath = [
    ...(commonLibs ? [join(packDirectory, 'lib')] : []),
    ...librariesOf(interpreter),
    join(packDirectory, 'actions', 'lib'),
  ];
  const { virtualenv } = interpreter;
  return {
    pythonPath,
    variables: {
      ...environment,
      ...(virtualenv !== undefined && { PATH: [join(virtualenv, 'bin'), environment['PATH']].join(':') }),
      PYTHONPATH: [...pythonPath, servicePythonPath(environment)].join(':'),
      ...given,
      ...request.environment,
      ...accessVariables(request.environment),
    },
    needsOwnInterpreter: Object.keys(given).some((name) => AT_START.test(name)),
  };
}

/** The part of `PYTHONPATH` for every interpreter started by the service. */
export const servicePythonPath = ({ PYTHONPATH: own }: Readonly<Record<string, string>>): string =>
  [own ?? '', RUNNER_PYTHON_MODULES].filter((part) => part !== '').join(':');

/** Variables of Python itself, of the dynamic linker, the locale and the C library. */
const AT_START = /^(PYTHON|LD_|LC_|LANG|MALLOC_|GLIBC_)/;

/** `PYTHONPATH` is ignored: overriding it would break the action's imports. */
function givenVariables(env: unknown): Record<string, string> {
  const entries = Object.entries((env ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter(([name]) => name.toUpperCase() !== 'PYTHONPATH').map(([name, value]) => [name, pythonStr(value)]),
  );
}

/** The same values under the names that API clients expect. */
function accessVariables(environment: Readonly<Record<string, string>>): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const prefix of ['SVC', 'ST2']) {
    for (const name of ['API_URL', 'AUTH_TOKEN']) {
      const value = environment[`${prefix}_ACTION_${name}`];
      if (value !== undefined) variables[`${prefix}_${name}`] = value;
    }
  }
  return variables;
}

/** The Python modules that packs import. */
export const RUNNER_PYTHON_MODULES = resolve(__dirname, '../../../../python');

/** The program that runs Python actions. */
const RUN_ACTION = join(RUNNER_PYTHON_MODULES, 'run_action.py');

export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** The command line of an interpreter that runs one action. @param bytecode folder for the product's compiled
 * modules */
export const isolatedCommand = (python: string, bytecode: string): ProgramCommand => ({
  file: python,
  args: ['-u', RUN_ACTION, `--bytecode=${bytecode}`],
});

/** The command line of a warm worker, which runs many actions. */
export const warmCommand = (python: string): ProgramCommand => ({
  file: python,
  args: ['-u', RUN_ACTION, '--warm'],
});
