import { SECOND_MS } from '@switchyard/base';
import { pythonStr } from '@switchyard/model';
import type { PreparedRun } from '../run-process';
import type { RunAbilities, RunRequest } from '../runner-plugin';
import { runsAs, shellCommand, type ShellText } from './shell-command';
import type { ShellSettings } from './shell-parameters';
import { shellResult } from './shell-result';
import type { UserAccess } from './user-access';

/** Prepares a text for a shell: by whom, where, with which environment and for how long it is run. */
export async function prepareShell(
  text: ShellText,
  settings: ShellSettings,
  access: UserAccess,
  request: RunRequest,
  { config, logger }: RunAbilities,
): Promise<PreparedRun> {
  const as = await runsAs(settings, config, access, (message, fields) => logger.warn(message, fields));
  return {
    process: {
      ...shellCommand(text, as, access.sudo, settings.sudoPassword),
      ...(settings.cwd !== undefined && { cwd: settings.cwd }),
      env: { ...config.environment, ...textValues(settings.env), ...request.environment },
      timeoutMs: settings.timeoutSeconds * SECOND_MS,
    },
    conclude: (ended) => shellResult(ended, settings, access.current.name, config.data),
  };
}

const textValues = (env: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, pythonStr(value)]));
