import { join } from 'node:path';
import type { PythonInstallation } from '@switchyard/config';
import { contentVersionParameters } from '../content-version/versioned-entry-point';
import type { RunRequest, RunnerDeclaration } from '../runner-plugin';
import type { PythonSettings } from './python-settings';

/** The input of a run on the Python side; see `python/st2common/runners/run_action.py`. */
export interface ActionDocument {
  readonly file_path: string;
  readonly pack: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Names of number parameters: JSON does not distinguish 1 from 1.0, but Python does. */
  readonly floats: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  /** The file that the error about a missing key names. */
  readonly config_path: string;
  readonly log_level: string;
  readonly installation: PythonInstallation;
}

export function actionDocument(
  { action: { pack, parameters }, actionParameters, runnerParameters }: RunRequest,
  path: string,
  config: Readonly<Record<string, unknown>>,
  { configs, logLevel, installation }: Pick<PythonSettings, 'configs' | 'logLevel' | 'installation'>,
): ActionDocument {
  const { log_level: asked } = runnerParameters;
  // An explicit default value looks the same as none, so both mean the level of the service.
  const ownLevel = typeof asked === 'string' && asked !== manifest.runner_parameters['log_level']?.['default'];
  return {
    file_path: path,
    pack,
    parameters: actionParameters,
    floats: Object.keys(parameters).filter((name) => parameters[name]?.type === 'number'),
    config,
    config_path: join(configs, `${pack}.yaml`),
    log_level: ownLevel ? asked : logLevel,
    installation,
  };
}

export const manifest: RunnerDeclaration = {
  name: 'python-script',
  description: 'Runs a Python class of a pack on the machine of the action runner.',
  enabled: true,
  runner_package: 'python-script',
  runner_module: 'python-script',
  runner_parameters: {
    ...contentVersionParameters,
    env: { type: 'object', description: 'Environment variables for the action, by name.' },
    timeout: { type: 'integer', description: 'Timeout in seconds.', default: 600 },
    log_level: {
      type: 'string',
      description: 'Lowest level that the logger of the action writes.',
      default: 'DEBUG',
      enum: ['AUDIT', 'CRITICAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG'],
    },
  },
  output_key: 'result',
  output_schema: {
    type: 'object',
    properties: {
      result: {
        anyOf: ['object', 'string', 'integer', 'number', 'boolean', 'array', 'null'].map((type) => ({ type })),
      },
      stderr: { type: 'string', required: true },
      stdout: { type: 'string', required: true },
      exit_code: { type: 'integer', required: true },
    },
    additionalProperties: false,
  },
};
