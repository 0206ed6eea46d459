import { fault } from '@switchyard/base';
import { runProcess, type PreparedRun } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest } from '../runner-plugin';
import { prepareShell } from '../shell/prepare-shell';
import { shellSettings } from '../shell/shell-parameters';
import type { UserAccess } from '../shell/user-access';
import { manifest } from './manifest';

/** The runner of actions that are one command line, in their parameter `cmd`. */
export const localShellCmd = (access: UserAccess): RunnerPlugin => ({
  manifest,
  startsProcess: true,
  run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities, access)),
});

async function prepare(request: RunRequest, abilities: RunAbilities, access: UserAccess): Promise<PreparedRun> {
  if (request.action.entry_point !== '') throw fault('runner.unexpected-entry-point');
  const { cmd } = request.runnerParameters;
  if (typeof cmd !== 'string') throw fault('runner.no-command', { ref: request.action.ref });
  return prepareShell({ script: cmd }, shellSettings(request.runnerParameters), access, request, abilities);
}
