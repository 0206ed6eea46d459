// Where tests keep their files. They open some thousand stores, and waiting for a disk to confirm each write takes a tenth
// of their time, so they use a file system in memory where there is one with room.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Followed by the process id. Short, because the path of a Unix socket has at most 107 bytes. */
const PREFIX = 'svc-';
/** As `statfs` returns it. */
const TMPFS = 0x01021994;
const GIB = 2 ** 30;
/** Several times what tests have stored at any one time. */
const ROOM_BYTES = 4 * GIB;
/** Their processes need memory, too. */
const FREE_MEMORY_BYTES = ROOM_BYTES + 4 * GIB;

/**
 * The directory for the temporary files of a run: `TMPDIR` if set, or a new one in memory, or that of the system.
 * `remove()` removes what the run has left in memory.
 */
export function testDirectory(environment = process.env) {
  if (environment.TMPDIR) return { directory: environment.TMPDIR, remove() {} };
  if (!hasRoom()) return { directory: tmpdir(), remove() {} };
  removeOld();
  const directory = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  // Some tests run programs as other users.
  chmodSync(directory, 0o1777);
  if (runsPrograms(directory)) return { directory, remove };
  remove();
  return { directory: tmpdir(), remove() {} };
}

function hasRoom() {
  if (!existsSync(MEMORY)) return false;
  const { type, bavail, bsize } = statfsSync(MEMORY);
  return type === TMPFS && bavail * bsize >= ROOM_BYTES && freemem() >= FREE_MEMORY_BYTES;
}

/** What killed runs have left. */
function removeOld() {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^svc-(\d+)-/.exec(name) ?? [];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** False on a file system that is mounted with `noexec`. */
function runsPrograms(directory) {
  const program = join(directory, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  try {
    execFileSync(program, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}
