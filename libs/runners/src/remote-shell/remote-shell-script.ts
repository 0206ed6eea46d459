import { fault, messageOf, SECOND_MS } from '@switchyard/base';
import { scriptArguments } from '@switchyard/model';
import type { RunnerPlugin, RunRequest } from '../runner-plugin';
import { shellQuote, commandText } from './command/command-text';
import type { RemoteEnd } from './command/remote-command';
import { runCommand, runOnHost, unlessAborted, warnOf, type HostRun } from './host-run';
import { remoteShellScriptManifest } from './remote-shell-parameters';
import { remoteRun, type RemoteShell } from './remote-run';
import { scriptFiles, type ScriptFiles } from './script/local-files';
import { openSftp, type Sftp, uploadScript } from './script/upload-script';
import type { SshTarget } from './target/ssh-target';

/** Runs an action whose entry point is an executable file of its pack, on other hosts. */
export const remoteShellScript = (shell: RemoteShell): RunnerPlugin => ({
  manifest: remoteShellScriptManifest,
  startsProcess: true,
  rarelyCallsApi: true,
  run: (request, abilities) =>
    remoteRun(shell, request, abilities, async () => {
      const files = await scriptFiles(request);
      return (run, target, index) => runScript(run, target, files, directoryOf(request, shell.remoteDirectory, index));
    }),
  close: () => shell.pool.close(),
});

/** Each host gets its own directory, because two names may be one host. */
function directoryOf({ runnerParameters, liveactionId }: RunRequest, remoteDirectory: string, index: number): string {
  const { dir } = runnerParameters;
  const parent = typeof dir === 'string' && dir !== '' ? dir : remoteDirectory;
  if (!parent.startsWith('/')) throw fault('ssh.remote-directory', { directory: parent });
  return `${parent.replace(/(?<=.)\/+$/, '')}/${liveactionId}${index === 0 ? '' : `-${index}`}`;
}

async function runScript(run: HostRun, target: SshTarget, files: ScriptFiles, directory: string): Promise<RemoteEnd> {
  const { action, actionParameters } = run.request;
  const args = scriptArguments(action.parameters, actionParameters, run.settings.shell.kwargOp);
  const command = [`${directory}/${files.name}`, ...args].map(shellQuote).join(' ');
  const clear = () => remove(run, target, directory);
  const opening = run.pool.open(target, warnOf(run), openSftp);
  const { value: sftp, release } = await unlessAborted(opening, run.signal, (late) => late.close());
  try {
    await uploadScript(run, sftp, directory, files, clear).finally(() => closeSftp(sftp, release));
    return await runOnHost(run, target, `exec ${command}`);
  } finally {
    await clear();
  }
}

function closeSftp(sftp: Sftp, release: () => void): void {
  sftp.close();
  release();
}

/** Removing the copy is not part of the run: canceling does not stop it, and a failure is only logged. */
const REMOVE_MS = 30 * SECOND_MS;

async function remove(run: HostRun, target: SshTarget, directory: string): Promise<void> {
  const warn = (reason: string) =>
    warnOf(run)('The copy of a script could not be removed from a host.', { host: target.host, directory, reason });
  try {
    const { exitCode, stderr } = await runCommand(run, target, removal(run, directory));
    if (exitCode !== 0) warn(stderr.text);
  } catch (thrown) {
    warn(messageOf(thrown));
  }
}

/** Runs as the user of the script, which may have written files next to it. */
const removal = (run: HostRun, directory: string) => ({
  program: commandText({ script: `rm -rf -- ${shellQuote(directory)}`, cwd: '/', env: {} }),
  sudo: run.settings.shell.sudo,
  ...(run.settings.shell.sudoPassword !== undefined && { sudoPassword: run.settings.shell.sudoPassword }),
  graceMs: SECOND_MS,
  timeoutMs: REMOVE_MS,
  maxOutputBytes: 1000,
  wholeLines: false,
  signal: new AbortController().signal,
  show: () => undefined,
});
