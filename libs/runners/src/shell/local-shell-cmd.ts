import { fault } from '@switchyard/base';
import { runProcess, type PreparedProcess } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest, RunnerDeclaration } from '../runner-plugin';
import { prepareShell } from './shell-command';
import { shellSettings, shellParameters } from './shell-parameters';
import type { UserAccess } from './user-access';

/** Runs the command line in the parameter `cmd`. */
export const localShellCmd = (access: UserAccess): RunnerPlugin => ({
  manifest,
  startsProcess: true,
  run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities, access)),
});

async function prepare(request: RunRequest, abilities: RunAbilities, access: UserAccess): Promise<PreparedProcess> {
  if (request.action.entry_point !== '') throw fault('runner.unexpected-entry-point');
  const { cmd } = request.runnerParameters;
  if (typeof cmd !== 'string') throw fault('runner.no-command', { ref: request.action.ref });
  return prepareShell({ script: cmd }, shellSettings(request.runnerParameters), access, request, abilities);
}

const manifest: RunnerDeclaration = {
  name: 'local-shell-cmd',
  description: 'Runs a shell command on the machine of the action runner.',
  enabled: true,
  runner_package: 'local-shell-cmd',
  runner_module: 'local-shell-cmd',
  runner_parameters: { cmd: { type: 'string', description: 'The command line.' }, ...shellParameters },
  output_schema: {},
};
