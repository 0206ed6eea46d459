import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { fault } from '@switchyard/base';

export interface PortPlace {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** A Unix socket. Its user and its group may connect. */
export interface SocketPlace {
  readonly socketPath: string;
}

export type ListenPlace = PortPlace | SocketPlace;

/** Rejects with the system's error, or Fault `config.conflict` for a path that is not free. */
export async function listen(server: Server, place: ListenPlace): Promise<void> {
  if ('socketPath' in place) return listenOnSocket(server, place.socketPath);
  server.listen(place.port, place.host);
  await once(server, 'listening');
}

/** Everyone except its user and its group is kept out from the very beginning. */
const SOCKET_UMASK = 0o117;

async function listenOnSocket(server: Server, path: string): Promise<void> {
  await removeLeftOver(path);
  const before = process.umask(SOCKET_UMASK);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
}

/** Removes the socket of a process that was killed. */
async function removeLeftOver(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket()) throw fault('config.conflict', { text: `${path} is a file, not a socket` });
  if (await accepts(path)) throw fault('config.conflict', { text: `another process listens on ${path}` });
  await rm(path, { force: true });
}

async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
