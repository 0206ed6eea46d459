import { setTimeout as delay } from 'node:timers/promises';
import { fault, isFault, SECOND_MS } from '@switchyard/base';
import { reasonOf } from '../connection/reason';
import type { HostRun } from '../host-run';
import type { ScriptFiles } from './local-files';
import type { Sftp } from './sftp';

/** Only the user itself has a look at what it is about to run. */
const DIRECTORY_MODE = 0o700;

/**
 * Copies a script into a new directory on a host, within the time limit of the run.
 * @param clear takes away what an earlier attempt at the same execution has left
 * @throws Fault `ssh.upload`, `ssh.upload-timeout`, `ssh.not-started`
 */
export async function uploadScript(
  run: HostRun,
  sftp: Sftp,
  directory: string,
  files: ScriptFiles,
  clear: () => Promise<void>,
): Promise<void> {
  try {
    await withinLimits(run, copy(sftp, directory, files, clear));
  } catch (thrown) {
    throw isFault(thrown) ? thrown : fault('ssh.upload', { reason: reasonOf(thrown) }, { cause: thrown });
  }
}

async function copy(
  sftp: Sftp,
  directory: string,
  { directories, files }: ScriptFiles,
  clear: () => Promise<void>,
): Promise<void> {
  try {
    await sftp.makeDirectory(directory, DIRECTORY_MODE);
  } catch {
    await clear();
    await sftp.makeDirectory(directory, DIRECTORY_MODE);
  }
  for (const path of directories) await sftp.makeDirectory(`${directory}/${path}`, DIRECTORY_MODE);
  for (const { path, content, mode } of files) await sftp.write(`${directory}/${path}`, content, mode);
}

/** A canceled or late copy goes no further, since its channel is closed. */
async function withinLimits({ settings, signal }: HostRun, copying: Promise<void>): Promise<void> {
  const seconds = settings.shell.timeoutSeconds;
  const timer = new AbortController();
  const late = delay(seconds * SECOND_MS, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).then(
    () => Promise.reject(fault('ssh.upload-timeout', { seconds })),
    () => (signal.aborted ? Promise.reject(fault('ssh.not-started')) : undefined),
  );
  copying.catch(() => undefined);
  late.catch(() => undefined);
  try {
    await Promise.race([copying, late]);
  } finally {
    timer.abort();
  }
}
