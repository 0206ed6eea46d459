import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmdirSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { deferred, lacksResources } from '@switchyard/base';

/** Passes the chunks of a stream to a receiver, which can slow it down. */
export interface OutputPump {
  /** Resolves when the stream is closed and the receiver has processed all chunks. */
  readonly finished: Promise<void>;
  /** Resolves when the receiver is idle. */
  idle(): Promise<void>;
  isBusy(): boolean;
  /** Discards what still arrives. Closing the stream would end the processes that write to it. */
  abandon(): void;
}

/** The source waits while a returned promise is pending. It must not reject. */
export type OutputReceiver = (chunk: Buffer) => Promise<void> | undefined;

export function pumpOutput(stream: Readable, receive: OutputReceiver): OutputPump {
  const closed = deferred();
  let busy: Promise<void> | undefined;
  let isAbandoned = false;
  stream.on('data', (chunk: Buffer) => {
    const pending = isAbandoned ? undefined : receive(chunk);
    if (pending === undefined) return;
    stream.pause();
    busy = pending.then(() => {
      busy = undefined;
      stream.resume();
    });
  });
  stream.on('error', () => stream.destroy());
  stream.once('close', () => closed.resolve());
  return {
    finished: closed.promise.then(() => busy),
    idle: () => busy ?? Promise.resolve(),
    isBusy: () => busy !== undefined,
    abandon() {
      isAbandoned = true;
      if (stream instanceof Socket) stream.unref();
      closed.resolve();
    },
  };
}

/** How long to wait for the rest of the output after a process has ended. */
export const SETTLE_MS = 300;
/** A slow receiver gets that time repeatedly, up to this number, because a pipe holds a few chunks at most. */
const SETTLE_ROUNDS = 10;

/**
 * Waits for the end of the output of a process that has ended, which is normally immediate. A background process that it left running
 * may keep the pipe open forever. After a while its output is discarded, and it is left alone.
 */
export async function awaitOutput(pumps: readonly OutputPump[], settleMs = SETTLE_MS): Promise<void> {
  const finished = Promise.all(pumps.map((pump) => pump.finished)).then(() => true as const);
  for (let round = 0; round < SETTLE_ROUNDS; round++) {
    if (await within(finished, settleMs)) return;
    if (!pumps.some((pump) => pump.isBusy())) break;
    await Promise.all(pumps.map((pump) => pump.idle()));
  }
  for (const pump of pumps) pump.abandon();
  await finished;
}

/**
 * If this process was busy for all that time, the timer fires before pending data is read. The data is read in the first turn of the
 * event loop after it, and the stream closes in the second.
 */
function within(done: Promise<true>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => setImmediate(() => setImmediate(() => resolve(false))), limitMs);
    void done.then(() => {
      clearTimeout(late);
      resolve(true);
    });
  });
}

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
    return { writeFd, reader: pipeReader(readFd) };
  } catch {
    closeSync(readFd);
    return undefined;
  }
}

/** Reads from a pipe. */
export const pipeReader = (fd: number): Socket => new Socket({ fd, readable: true, writable: false });

/** The number of unused pipes. */
export const countPipes = (): number => spare.length;

/** The reading ends of unused pipes; another process opens the writing ends. @returns undefined if there are fewer */
export const takePipes = (count: number): number[] | undefined =>
  spare.length < count ? undefined : spare.splice(-count);

/** The same with new ones if necessary. @returns undefined if they cannot be created */
export function makePipes(count: number): number[] | undefined {
  if (spare.length < count && !unavailable) makeBatch();
  return takePipes(count);
}

/** Adds unused pipes. @param paths their reading ends. They are not used if they cannot be opened. */
export function addPipes(paths: readonly string[]): void {
  try {
    for (const path of paths) spare.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  } catch {
    // No descriptors are available now, or the other process is gone.
  }
}

/** Closes a pipe that no child uses. */
export function discardOutputPipe(pipe: OutputPipe): void {
  closeSync(pipe.writeFd);
  pipe.reader.destroy();
}

function makeBatch(): void {
  let folder: string | undefined;
  let paths: string[] = [];
  try {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-pipes-'));
    paths = Array.from({ length: BATCH }, (_, index) => join(folder!, String(index)));
    // Without this process's environment, which may contain passwords.
    const { error, status } = spawnSync('mkfifo', ['-m', '600', ...paths], { env: {} });
    unavailable = status !== 0 && !lacksResources(error);
    if (status !== 0) return;
    addPipes(paths);
  } catch {
    // No files or descriptors are available now. The next call tries again.
  } finally {
    if (folder !== undefined) removePipes(folder, paths);
  }
}

/**
 * Not with `rmSync`, which calls `stat` on each file first: while a named pipe is the last file that Node.js has
 * examined, `import()` does not resolve symbolic links (`realpathSync` in Node.js 22), so that a package of this
 * workspace would be loaded twice. This needs no descriptors, which may be exhausted.
 */
function removePipes(folder: string, paths: readonly string[]): void {
  try {
    for (const path of paths) unlinkSync(path);
  } catch {
    // Not all of them were created.
  }
  try {
    rmdirSync(folder);
  } catch {
    // An unused temporary directory is left behind.
  }
}

/** The captured output of one stream. `bytes` counts all of it, `text` has its beginning. */
export interface CapturedOutput {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** The last line of a truncated text. */
export const truncationNote = (keptBytes: number, bytes: number): string =>
  `\n[output truncated: ${keptBytes} of ${bytes} bytes kept]`;

/**
 * Keeps the first bytes of a stream and counts the rest, so that memory is limited whatever a child writes. Each chunk is decoded when it
 * arrives: decoding megabytes at the end would delay other work.
 */
export class OutputCapture {
  readonly #limit: number;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #keptBytes = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#limit = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const part = chunk.subarray(0, this.#limit - this.#keptBytes);
    if (part.length === 0) return;
    this.#text += this.#decoder.write(part);
    this.#keptBytes += part.length;
  }

  /** The text so far, decoded as UTF-8 with U+FFFD for invalid bytes. A truncated text ends with a complete character. */
  finish(): CapturedOutput {
    const truncated = this.#bytes > this.#keptBytes;
    if (!truncated) this.#text += this.#decoder.end();
    const note = truncated ? truncationNote(this.#keptBytes, this.#bytes) : '';
    return { text: this.#text + note, bytes: this.#bytes, truncated };
  }
}
