import { fault } from '@switchyard/base';
import type { RunnerPlugin } from '../runner-plugin';
import { runOnHost } from './host-run';
import { remoteShellCmdManifest } from './manifests';
import { remoteRun, type RemoteShell } from './remote-run';

/** The runner of actions that are one command line, in their parameter `cmd`, on other hosts. */
export const remoteShellCmd = (shell: RemoteShell): RunnerPlugin => ({
  manifest: remoteShellCmdManifest,
  startsProcess: true,
  run: (request, abilities) =>
    remoteRun(shell, request, abilities, async () => {
      if (request.action.entry_point !== '') throw fault('ssh.cmd-entry-point');
      const { cmd } = request.runnerParameters;
      if (typeof cmd !== 'string') throw fault('runner.no-command', { ref: request.action.ref });
      return (run, target) => runOnHost(run, target, cmd);
    }),
  close: () => shell.pool.close(),
});
