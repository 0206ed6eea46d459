import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Real pipes for the output of children. Node.js connects children through sockets, and Linux cannot open a socket by path, so
 * `echo oops > /dev/stderr` or `tee /dev/stdout` in scripts would fail with "No such device or address". Node.js cannot create a
 * pipe, but it can open a named one. So named pipes are created in batches (one `mkfifo` for many), opened, and unlinked at once.
 * Each is used for one stream of one child and never reused, because a background process may still write to it.
 */
export interface OutputPipe {
  /** For the child. This process closes it after the child has started. */
  readonly writeFd: number;
  readonly reader: Socket;
}

const BATCH = 64;
const spare: number[] = [];
let unavailable = process.platform !== 'linux';

/** A new pipe, or undefined if none can be created; then the sockets of Node.js are used. */
export function openOutputPipe(): OutputPipe | undefined {
  if (spare.length === 0 && !unavailable) makeBatch();
  const readFd = spare.pop();
  if (readFd === undefined) return undefined;
  try {
    // The writing end is opened first, because a reader without a writer sees the end of the stream at once.
    const writeFd = openSync(`/proc/self/fd/${readFd}`, constants.O_WRONLY);
    return { writeFd, reader: new Socket({ fd: readFd, readable: true, writable: false }) };
  } catch {
    closeSync(readFd);
    return undefined;
  }
}

/** Closes a pipe that no child uses. */
export function discardOutputPipe(pipe: OutputPipe): void {
  closeSync(pipe.writeFd);
  pipe.reader.destroy();
}

function makeBatch(): void {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-pipes-'));
    const paths = Array.from({ length: BATCH }, (_, index) => join(folder!, String(index)));
    unavailable = spawnSync('mkfifo', ['-m', '600', ...paths]).status !== 0;
    if (unavailable) return;
    for (const path of paths) spare.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  } catch {
    // There is no room for files or descriptors now. Opened pipes are used, and the next call tries again.
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
