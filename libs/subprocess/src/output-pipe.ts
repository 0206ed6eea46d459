import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Real pipes for the output of children. Node.js connects its children through sockets, and Linux refuses to open a
 * socket by path: `echo oops > /dev/stderr` or `tee /dev/stdout`, usual in scripts, fail there with "No such device or
 * address". Node.js cannot make a pipe, but it can open a named one; so named pipes are made in batches (one `mkfifo`
 * for many), opened and unlinked at once, and each is used for one stream of one child. Never again: a process that
 * was left in the background may still write to it.
 */
export interface OutputPipe {
  /** For the child; to be closed here once the child has it. */
  readonly writeFd: number;
  readonly reader: Socket;
}

const BATCH = 64;
const spare: number[] = [];
let unavailable = process.platform !== 'linux';

/** A fresh pipe, or undefined where none can be made (then the sockets of Node.js have to do). */
export function openOutputPipe(): OutputPipe | undefined {
  if (spare.length === 0 && !unavailable) makeBatch();
  const readFd = spare.pop();
  if (readFd === undefined) return undefined;
  try {
    // The writing end comes first: a reader without a writer would see the end of the stream at once.
    const writeFd = openSync(`/proc/self/fd/${readFd}`, constants.O_WRONLY);
    return { writeFd, reader: new Socket({ fd: readFd, readable: true, writable: false }) };
  } catch {
    closeSync(readFd);
    return undefined;
  }
}

/** Gives up a pipe that no child got. */
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
    // No room for files or descriptors right now: what was opened is used, the rest is tried again next time.
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
