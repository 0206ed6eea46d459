import type { RunnerType } from '../runner-plugin';
import { winrmParameters } from './winrm-parameters';

const manifest = (name: string, description: string, own: RunnerType['runner_parameters']): RunnerType => ({
  name,
  description,
  enabled: true,
  runner_package: name,
  runner_module: name,
  runner_parameters: { ...own, ...winrmParameters },
  output_schema: {},
});

export const winrmCmdManifest = manifest('winrm-cmd', 'Runs a command line on a Windows host, over WinRM.', {
  cmd: { type: 'string', description: 'The command line.' },
});

export const winrmPsCmdManifest = manifest('winrm-ps-cmd', 'Runs PowerShell code on a Windows host, over WinRM.', {
  cmd: { type: 'string', description: 'The code.' },
});

export const winrmPsScriptManifest = manifest(
  'winrm-ps-script',
  'Runs a PowerShell script of a pack on a Windows host, over WinRM.',
  {},
);
