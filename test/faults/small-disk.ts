import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

/** A file system in memory whose size can be changed. */
export interface SmallDisk {
  /** From now on there is no room for more. */
  fill(): void;
  free(): void;
  remove(): void;
}

const SIZE = '4g';
const TRIES = 50;

/** Mounts a disk at a directory. @returns undefined if this process may not mount anything */
export function smallDisk(directory: string): SmallDisk | undefined {
  mkdirSync(directory, { recursive: true });
  if (!mount('-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', directory)) return undefined;
  const remove = () => void spawnSync('umount', ['--lazy', directory]);
  process.once('exit', remove);
  const resize = (size: string) => mount('-o', `remount,size=${size}`, directory);
  return {
    fill() {
      // It can grow while it is made smaller, which fails then.
      for (let tries = 0; tries < TRIES; tries++) {
        const { blocks, bfree, bsize } = statfsSync(directory);
        if (resize(String((blocks - bfree) * bsize))) return;
      }
      throw new Error(`${directory} could not be made smaller.`);
    },
    free: () => void resize(SIZE),
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}

const mount = (...args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
