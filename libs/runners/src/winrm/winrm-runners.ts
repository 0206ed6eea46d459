import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fault, messageOf } from '@switchyard/base';
import { entryPointOf } from '../entry-point';
import type { RunnerPlugin, RunRequest, RunnerDeclaration } from '../runner-plugin';
import { scriptText } from './powershell/script-text';
import { winrmParameters } from './winrm-parameters';
import { winrmRun } from './winrm-run';

const manifest = (
  name: string,
  description: string,
  own: RunnerDeclaration['runner_parameters'],
): RunnerDeclaration => ({
  name,
  description,
  enabled: true,
  runner_package: name,
  runner_module: name,
  runner_parameters: { ...own, ...winrmParameters },
  output_schema: {},
});

const winrmCmdManifest = manifest('winrm-cmd', 'Runs a command line on a Windows host, over WinRM.', {
  cmd: { type: 'string', description: 'The command to run.' },
});

const winrmPsCmdManifest = manifest('winrm-ps-cmd', 'Runs PowerShell code on a Windows host, over WinRM.', {
  cmd: { type: 'string', description: 'The code to run.' },
});

const winrmPsScriptManifest = manifest(
  'winrm-ps-script',
  'Runs a PowerShell script of a pack on a Windows host, over WinRM.',
  {},
);

/** Runs a command line, in the parameter `cmd`, on a Windows host. */
const winrmCmd: RunnerPlugin = {
  manifest: winrmCmdManifest,
  startsProcess: false,
  run: (request, abilities) => winrmRun(request, abilities, () => ({ kind: 'command-line', text: commandOf(request) })),
};

/** Runs PowerShell code, in the parameter `cmd`, on a Windows host. */
const winrmPsCmd: RunnerPlugin = {
  manifest: winrmPsCmdManifest,
  startsProcess: false,
  run: (request, abilities) => winrmRun(request, abilities, () => ({ kind: 'powershell', text: commandOf(request) })),
};

/** Runs the PowerShell script that is the entry point of an action on a Windows host. */
const winrmPsScript: RunnerPlugin = {
  manifest: winrmPsScriptManifest,
  // Only runners of this kind receive the path of the pack. The token that comes with it is not sent to the host.
  startsProcess: true,
  run: (request, abilities) =>
    winrmRun(request, abilities, async ({ kwargOp }) => {
      const { action, actionParameters } = request;
      const script = await scriptOf(request);
      return { kind: 'powershell', text: scriptText(script, action.parameters, actionParameters, kwargOp) };
    }),
};

export const winrmRunners: readonly RunnerPlugin[] = [winrmCmd, winrmPsCmd, winrmPsScript];

function commandOf({ action, runnerParameters: { cmd } }: RunRequest): string {
  if (typeof cmd !== 'string') throw fault('runner.no-command', { ref: action.ref });
  return cmd;
}

async function scriptOf(request: RunRequest): Promise<string> {
  const { packDirectory, path } = entryPointOf(request);
  try {
    return decodedScript(await readFile(join(packDirectory, path)));
  } catch (thrown) {
    const { ref, entry_point: entryPoint } = request.action;
    throw fault('winrm.script-file', { ref, entryPoint, reason: messageOf(thrown) }, { cause: thrown });
  }
}

/** Windows editors also write UTF-16 with a byte order mark. */
function decodedScript(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
}
