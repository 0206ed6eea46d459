import { fault } from '@switchyard/base';
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const LOCK = 'lock.sock';
const PID = 'lock.pid';
/** The longest path of a Unix socket that every system takes. */
const SOCKET_PATH_BYTES = 100;
const ATTEMPTS = 10;
const ANSWER_MS = 500;

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Takes a directory for this process. The lock is a listening Unix socket inside it: the kernel ends it with the
 * process, however that ends, and whoever finds the socket file learns by connecting whether somebody still holds it.
 * Process numbers decide nothing, so their reuse and containers that share the directory do no harm.
 * @throws Fault `storage.locked` naming the holder
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const { path, discard } = shortPath(resolve(directory));
  try {
    const server = await listenOrTakeOver(path, directory);
    writeFileSync(join(directory, PID), `${process.pid}\n`);
    return { release: () => release(server, directory, discard) };
  } catch (error) {
    discard();
    throw error;
  }
}

async function release(server: Server, directory: string, discard: () => void): Promise<void> {
  rmSync(join(directory, PID), { force: true });
  await new Promise((done) => server.close(done));
  discard();
}

/** A path to the directory that is short enough for a socket: itself, or a symbolic link. */
function shortPath(directory: string): { path: string; discard: () => void } {
  if (Buffer.byteLength(join(directory, LOCK)) <= SOCKET_PATH_BYTES) return { path: directory, discard: () => {} };
  const path = join(tmpdir(), `svc-${randomUUID().slice(0, 13)}`);
  symlinkSync(directory, path);
  return { path, discard: () => rmSync(path, { force: true }) };
}

async function listenOrTakeOver(path: string, directory: string): Promise<Server> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const server = await listen(join(path, LOCK));
    if (server) return server;
    await refuseIfHeld(join(path, LOCK), directory);
    await removeStale(path, directory);
  }
  throw fault('storage.locked', { directory, pid: 'unknown' });
}

function listen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.on('error', () => {}).end(`${process.pid}`));
  server.unref();
  return new Promise((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : failed(error),
    );
    server.listen(path, () => done(server));
  });
}

async function refuseIfHeld(path: string, directory: string): Promise<void> {
  const holder = await askHolder(path);
  if (holder !== undefined) throw fault('storage.locked', { directory, pid: holder || pidFromFile(directory) });
}

/** Moves a dead socket away before deleting it, and looks again: another process may have been quicker. */
async function removeStale(path: string, directory: string): Promise<void> {
  const away = join(path, `${LOCK}.${randomUUID().slice(0, 8)}`);
  try {
    renameSync(join(path, LOCK), away);
  } catch {
    return;
  }
  if ((await askHolder(away)) !== undefined) {
    renameSync(away, join(path, LOCK));
    return refuseIfHeld(join(path, LOCK), directory);
  }
  rmSync(away, { force: true });
}

/** @returns undefined when nobody listens, else the holder's pid, or '' when it does not answer (a stopped process) */
function askHolder(path: string): Promise<string | undefined> {
  return new Promise((done) => {
    let answer = '';
    const socket = connect(path);
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.once('connect', () => socket.once('close', () => done(answer)));
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', () => done(undefined));
  });
}

function pidFromFile(directory: string): string {
  try {
    return readFileSync(join(directory, PID), 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
