import { chmod, stat } from 'node:fs/promises';
import { scriptArguments } from '@switchyard/model';
import {
  contentVersionParameters,
  versionedEntryPoint,
  type VersionedEntryPoint,
} from '../content-version/versioned-entry-point';
import { runProcess, type PreparedProcess } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest, RunnerDeclaration } from '../runner-plugin';
import { prepareShell, type ShellHost, shellSettings, shellParameters } from './shell-command';

/** Runs the entry point of an action, an executable file of its pack. */
export const localShellScript = (host: ShellHost): RunnerPlugin => ({
  manifest,
  startsProcess: true,
  rarelyCallsApi: true,
  run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities, host)),
  close: () => host.starter.close(),
});

async function prepare(request: RunRequest, abilities: RunAbilities, host: ShellHost): Promise<PreparedProcess> {
  const script = await versionedEntryPoint(request, abilities);
  try {
    await makeExecutable(script.path);
    return { ...(await prepareScript(script, request, abilities, host)), ...script };
  } catch (thrown) {
    await script.cleanUp?.();
    throw thrown;
  }
}

/** Starting the script from a shell also supports scripts without a shebang, and reports a missing file as users expect. */
async function prepareScript(
  { path }: VersionedEntryPoint,
  request: RunRequest,
  abilities: RunAbilities,
  host: ShellHost,
): Promise<PreparedProcess> {
  const settings = shellSettings(request.runnerParameters);
  const args = scriptArguments(request.action.parameters, request.actionParameters, settings.kwargOp);
  const words = [...(await host.paths.interpreterFor(path)), path, ...args];
  return prepareShell({ script: 'exec "$0" "$@"', args: words }, settings, host, request, abilities);
}

const EXECUTE_BITS = 0o111;

async function makeExecutable(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & EXECUTE_BITS) !== EXECUTE_BITS) await chmod(path, mode | EXECUTE_BITS);
  } catch {
    // The file may be missing, read-only, or belong to another user. If that matters, starting the script fails with
    // the reason.
  }
}

const manifest: RunnerDeclaration = {
  name: 'local-shell-script',
  description: 'Runs a script of a pack on the machine of the action runner.',
  enabled: true,
  runner_package: 'local-shell-script',
  runner_module: 'local-shell-script',
  runner_parameters: { ...contentVersionParameters, ...shellParameters },
  output_schema: {},
};
