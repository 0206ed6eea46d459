import { join } from 'node:path';
import type { RunRequest } from '../runner-plugin';
import { manifest } from './manifest';
import type { PythonSettings } from './python-settings';

/** What the Python side is told about a run; see `python/st2common/runners/run_action.py`. */
export interface ActionDocument {
  readonly file_path: string;
  readonly pack: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Parameters of the type number: 1 is 1.0 there, which JSON does not tell. */
  readonly floats: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  /** For the message about a missing key. */
  readonly config_path: string;
  readonly log_level: string;
}

export function actionDocument(
  { action: { pack, parameters }, actionParameters, runnerParameters }: RunRequest,
  path: string,
  config: Readonly<Record<string, unknown>>,
  { configs, logLevel }: Pick<PythonSettings, 'configs' | 'logLevel'>,
): ActionDocument {
  const { log_level: asked } = runnerParameters;
  // The default cannot be told from the same value given, so that it stands for what the service is set to.
  const ownLevel = typeof asked === 'string' && asked !== manifest.runner_parameters['log_level']?.['default'];
  return {
    file_path: path,
    pack,
    parameters: actionParameters,
    floats: Object.keys(parameters).filter((name) => parameters[name]?.type === 'number'),
    config,
    config_path: join(configs, `${pack}.yaml`),
    log_level: ownLevel ? asked : logLevel,
  };
}
