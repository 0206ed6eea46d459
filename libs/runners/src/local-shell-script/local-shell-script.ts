import { chmod, stat } from 'node:fs/promises';
import { scriptArguments } from '@switchyard/model';
import { versionedEntryPoint, type VersionedEntryPoint } from '../content-version/versioned-entry-point';
import { runProcess, type PreparedRun } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest } from '../runner-plugin';
import { prepareShell } from '../shell/prepare-shell';
import { shellSettings } from '../shell/shell-parameters';
import type { UserAccess } from '../shell/user-access';
import { manifest } from './manifest';

/** The runner of actions whose entry point is an executable file of their pack. */
export const localShellScript = (access: UserAccess): RunnerPlugin => ({
  manifest,
  startsProcess: true,
  run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities, access)),
});

async function prepare(request: RunRequest, abilities: RunAbilities, access: UserAccess): Promise<PreparedRun> {
  const script = await versionedEntryPoint(request, abilities);
  try {
    await makeExecutable(script.path);
    return { ...(await prepareScript(script, request, abilities, access)), ...script };
  } catch (thrown) {
    await script.cleanUp?.();
    throw thrown;
  }
}

/** The shell that starts the script also runs one without a first line, and words the complaint about a missing one. */
function prepareScript(
  { path }: VersionedEntryPoint,
  request: RunRequest,
  abilities: RunAbilities,
  access: UserAccess,
): Promise<PreparedRun> {
  const settings = shellSettings(request.runnerParameters);
  const args = scriptArguments(request.action.parameters, request.actionParameters, settings.kwargOp);
  return prepareShell({ script: 'exec "$0" "$@"', args: [path, ...args] }, settings, access, request, abilities);
}

const EXECUTE_BITS = 0o111;

async function makeExecutable(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & EXECUTE_BITS) !== EXECUTE_BITS) await chmod(path, mode | EXECUTE_BITS);
  } catch {
    // A missing file, one of somebody else or on a read-only disk: if it matters, starting the script will tell.
  }
}
