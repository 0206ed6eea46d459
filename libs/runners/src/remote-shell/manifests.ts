import type { RunnerType } from '../runner-plugin';
import { remoteDirectory, remoteShellParameters } from './remote-shell-parameters';

export const remoteShellCmdManifest: RunnerType = {
  name: 'remote-shell-cmd',
  description: 'Runs a shell command on other hosts, over SSH.',
  enabled: true,
  runner_package: 'remote-shell-cmd',
  runner_module: 'remote-shell-cmd',
  runner_parameters: {
    cmd: { type: 'string', description: 'The command line.' },
    dir: { ...remoteDirectory, immutable: true },
    ...remoteShellParameters,
  },
  output_schema: {},
};

export const remoteShellScriptManifest: RunnerType = {
  name: 'remote-shell-script',
  description: 'Runs a script of a pack on other hosts, over SSH.',
  enabled: true,
  runner_package: 'remote-shell-script',
  runner_module: 'remote-shell-script',
  runner_parameters: { dir: remoteDirectory, ...remoteShellParameters },
  output_schema: {},
};
