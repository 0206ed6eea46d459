import { join } from 'node:path';
import { pythonStr } from '@switchyard/model';
import type { RunAbilities, RunRequest } from '../runner-plugin';
import { librariesOf, type Interpreter } from './interpreter';
import { PYTHON_MODULES } from './programs';
import type { PythonSettings } from './python-settings';

/** What an action finds around it. */
export interface PythonEnvironment {
  /** All variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The part of `PYTHONPATH` that is this pack's own; what stands behind it is the same for all. */
  readonly pythonPath: readonly string[];
  /** Some of the variables count only while an interpreter starts. */
  readonly needsOwnInterpreter: boolean;
}

/** Sections 8.2 and 11.1 of the interface sheet "execution". */
export async function pythonEnvironment(
  request: RunRequest,
  { config: { environment } }: Pick<RunAbilities, 'config'>,
  interpreter: Interpreter,
  packDirectory: string,
  { commonLibs }: Pick<PythonSettings, 'commonLibs'>,
): Promise<PythonEnvironment> {
  const given = givenVariables(request.runnerParameters['env']);
  const pythonPath = [
    ...(commonLibs ? [join(packDirectory, 'lib')] : []),
    ...(await librariesOf(interpreter)),
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

/** What every interpreter gets that the service starts. */
export const servicePythonPath = ({ PYTHONPATH: own }: Readonly<Record<string, string>>): string =>
  [own ?? '', PYTHON_MODULES].filter((part) => part !== '').join(':');

/** Variables of Python itself, of the dynamic linker, the locale and the C library. */
const AT_START = /^(PYTHON|LD_|LC_|LANG|MALLOC_|GLIBC_)/;

/** The path of modules is the runner's business: an action would not find what it imports. */
function givenVariables(env: unknown): Record<string, string> {
  const entries = Object.entries((env ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter(([name]) => name.toUpperCase() !== 'PYTHONPATH').map(([name, value]) => [name, pythonStr(value)]),
  );
}

/** The same facts once more, under the names that clients of the API look for. */
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
