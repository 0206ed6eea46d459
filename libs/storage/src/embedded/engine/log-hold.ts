import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SECOND_MS } from '@switchyard/base';

const FILE = 'log.hold';
/** A hold that nobody renewed for this long does not count. */
const LASTS_MS = 10 * SECOND_MS;
const RENEWED_MS = SECOND_MS;
const HEADER_BYTES = 32;
const MOST_TRIES = 10;
const COPIED = ['format.json', 'data.sqlite', 'data.sqlite-wal'] as const;
const [, DATA, LOG] = COPIED;

/**
 * Whether another process copies the files of a store, so that its log must stay. A hold from the future, after the clock was set
 * back, does not count either: its process may be dead.
 */
export function isLogHeld(directory: string): boolean {
  const stats = statSync(join(directory, FILE), { throwIfNoEntry: false });
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < LASTS_MS;
}

/**
 * Copies the files of a store that another process may be writing to. The copy has everything up to one moment:
 * 1. The holder of the store appends to the log, and copies the log into the data file only when it is large, which it does
 *    not do while the log is held.
 * 2. The data file is copied before the log, so the log has every page that changed meanwhile.
 * 3. A log that was emptied has another header afterwards. Then the copy is made again.
 * @throws Error if the log was emptied during each of several copies
 */
export async function copyStoreFiles(directory: string, target: string): Promise<void> {
  const hold = join(directory, FILE);
  const renew = () => writeFileSync(hold, '', { mode: 0o600 });
  renew();
  const renewal = setInterval(renew, RENEWED_MS);
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      rmSync(target, { recursive: true, force: true });
      mkdirSync(target, { recursive: true, mode: 0o700 });
      const before = stateOf(directory);
      for (const name of COPIED) await copyOne(join(directory, name), join(target, name));
      if (stateOf(directory) === before) return;
    }
    throw new Error(`The store in ${directory} was reorganized during each of ${MOST_TRIES} copies.`);
  } finally {
    clearInterval(renewal);
    rmSync(hold, { force: true });
  }
}

/** Shares the blocks if the file system can. */
async function copyOne(from: string, to: string): Promise<void> {
  if (existsSync(from)) await copyFile(from, to, constants.COPYFILE_FICLONE);
}

/** Differs after the log was emptied or removed. */
function stateOf(directory: string): string {
  const header = headerOf(join(directory, LOG));
  if (header !== '') return header;
  const { mtimeNs, size } = statSync(join(directory, DATA), { bigint: true });
  return `${mtimeNs} ${size}`;
}

function headerOf(path: string): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    return bytes.toString('hex', 0, readSync(file, bytes, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
