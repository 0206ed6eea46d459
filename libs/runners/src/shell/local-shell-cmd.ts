import { fault } from '@switchyard/base';
import { runProcess, type PreparedProcess } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest, RunnerDeclaration } from '../runner-plugin';
import { prepareShell, type ShellHost, shellSettings, shellParameters } from './shell-command';

/** Runs the command line in the parameter `cmd`. */
export const localShellCmd = (host: ShellHost): RunnerPlugin => ({
  manifest,
  startsProcess: true,
  run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities, host)),
});

async function prepare(request: RunRequest, abilities: RunAbilities, host: ShellHost): Promise<PreparedProcess> {
  if (request.action.entry_point !== '') throw fault('runner.unexpected-entry-point');
  const { cmd } = request.runnerParameters;
  if (typeof cmd !== 'string') throw fault('runner.no-command', { ref: request.action.ref });
  return prepareShell({ script: cmd }, shellSettings(request.runnerParameters), host, request, abilities);
}

const manifest: RunnerDeclaration = {
  name: 'local-shell-cmd',
  description: 'Runs a shell command on the machine of the action runner.',
  enabled: true,
  runner_package: 'local-shell-cmd',
  runner_module: 'local-shell-cmd',
  runner_parameters: { cmd: { type: 'string', description: 'The command to run.' }, ...shellParameters },
  output_schema: {},
};
