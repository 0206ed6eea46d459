import { setTimeout as delay } from 'node:timers/promises';
import { fault, isFault, SECOND_MS } from '@switchyard/base';
import type { Client, SFTPWrapper } from 'ssh2';
import { reasonOf } from '../connection/dial';
import type { HostRun } from '../host-run';
import type { ScriptFiles } from './local-files';

/** Only the user may access the files that it is about to run. */
const DIRECTORY_MODE = 0o700;

/**
 * Copies a script into a new directory on a host, within the time limit of the run.
 * @param clear removes what an earlier attempt at the same execution left
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

/** Closing the channel stops a canceled or late copy. */
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

/** File transfers on a connection, as promises. */
export interface Sftp {
  makeDirectory(path: string, mode: number): Promise<void>;
  write(path: string, content: Buffer, mode: number): Promise<void>;
  close(): void;
}

export function openSftp(client: Client): Promise<Sftp> {
  return new Promise((resolve, reject) => {
    client.sftp((error, wrapper) => (error === undefined ? resolve(sftp(wrapper)) : reject(error)));
  });
}

function sftp(wrapper: SFTPWrapper): Sftp {
  const { run, end } = untilClosed(wrapper);
  return {
    makeDirectory: (path, mode) => run((done) => wrapper.mkdir(path, { mode }, done)),
    write: async (path, content, mode) => {
      await run((done) => wrapper.writeFile(path, content, { mode, flag: 'w' }, done));
      // The user's umask may reduce the mode of a new file.
      await run((done) => wrapper.chmod(path, mode, done));
    },
    close: end,
  };
}

type Done = (error?: Error | null) => void;

/** The library leaves requests unanswered when the connection is lost. */
function untilClosed(wrapper: SFTPWrapper) {
  const closed = new Promise<never>((_resolve, reject) => {
    wrapper.once('close', () => reject(new Error('the connection was closed')));
  });
  closed.catch(() => undefined);
  wrapper.on('error', () => undefined);
  const run = (ask: (done: Done) => void): Promise<void> => {
    const answer = new Promise<void>((resolve, reject) => ask((error) => (error ? reject(error) : resolve())));
    return Promise.race([answer, closed]);
  };
  return { run, end: () => void wrapper.end() };
}
