import { fault } from '@switchyard/base';
import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The longest path of a Unix socket that every system accepts. */
const SOCKET_PATH_BYTES = 100;
const SOCKET = /^lock-.*\.sock$/;
const CLAIM = /^lock\.(\d+)$/;

export interface DirectoryLock {
  release(): Promise<void>;
}

/** The holder of the directory, according to its claim file. */
interface Claim {
  readonly generation: number;
  readonly socket: string;
  readonly pid: number;
}

/**
 * Takes a directory for this process.
 * 1. A holder listens on a Unix socket inside the directory. The kernel closes it with the process, however that ends,
 *    so connecting shows reliably whether the holder is alive. Process ids are not used, so their reuse, and containers
 *    that share the directory, do no harm.
 * 2. The holder is whoever has the claim file with the highest number. A claim is made by linking, which fails if the
 *    number is taken, and only after the previous holder has died.
 * 3. The highest claim is never deleted, so numbers only grow: a process with an outdated view finds a higher claim
 *    next to its own, and gives way.
 * @throws Fault `storage.locked` naming the holder
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const name = `lock-${randomUUID().slice(0, 8)}.sock`;
  const { path, discard } = shortPath(resolve(directory));
  const server = await listen(join(path, name));
  const release = async () => {
    await new Promise((done) => server.close(done));
    discard();
  };
  try {
    while (!claim(directory, name, await deadHolder(directory, path)));
    clean(directory, name);
    return { release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A path to the directory that is short enough for a socket: the directory itself, or a symbolic link. */
function shortPath(directory: string): { path: string; discard: () => void } {
  const longest = join(directory, 'lock-12345678.sock');
  if (Buffer.byteLength(longest) <= SOCKET_PATH_BYTES) return { path: directory, discard: () => {} };
  const path = join(tmpdir(), `svc-${randomUUID().slice(0, 13)}`);
  symlinkSync(directory, path);
  return { path, discard: () => rmSync(path, { force: true }) };
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).destroy()).unref();
  return new Promise((done, failed) => server.once('error', failed).listen(path, () => done(server)));
}

/** The number of the last claim, of a dead holder; 0 if there is none. */
async function deadHolder(directory: string, path: string): Promise<number> {
  const last = lastClaim(directory);
  if (!last) return 0;
  if (await answers(join(path, last.socket))) throw fault('storage.locked', { directory, pid: last.pid });
  return last.generation;
}

/** Claims the directory after a dead holder. @returns false if another process was faster */
function claim(directory: string, socket: string, dead: number): boolean {
  const draft = join(directory, `${socket}.claim`);
  const mine = join(directory, `lock.${dead + 1}`);
  writeFileSync(draft, JSON.stringify({ socket, pid: process.pid }));
  try {
    linkSync(draft, mine);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
  if (Math.max(...generations(directory)) === dead + 1) return true;
  rmSync(mine);
  return false;
}

const generations = (directory: string): number[] =>
  readdirSync(directory)
    .flatMap((name) => CLAIM.exec(name)?.[1] ?? [])
    .map(Number);

function lastClaim(directory: string): Claim | undefined {
  for (;;) {
    const generation = Math.max(0, ...generations(directory));
    if (generation === 0) return undefined;
    const claimed = readClaim(directory, generation);
    if (claimed) return claimed;
  }
}

/** @returns undefined if the claim was removed, which means that a higher one exists */
function readClaim(directory: string, generation: number): Claim | undefined {
  try {
    const { socket, pid } = JSON.parse(readFileSync(join(directory, `lock.${generation}`), 'utf8')) as Claim;
    return { generation, socket, pid };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes files of former holders. Processes that are still trying have other file names, or give way to the claim. */
function clean(directory: string, socket: string): void {
  const all = generations(directory);
  const last = Math.max(...all);
  for (const generation of all.filter((number) => number !== last)) {
    const left = readClaim(directory, generation)?.socket;
    if (left && left !== socket && SOCKET.test(left)) rmSync(join(directory, left), { force: true });
    rmSync(join(directory, `lock.${generation}`), { force: true });
  }
}

/** Only a refused connection or a missing socket proves that the holder is dead. */
function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => done(socket.destroy() && true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => done(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}
