import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

const COARSE_SECONDS = 100;

/** Names the present run of the operating system: as long as it is the same, its file cache has not been lost. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `up-${Math.round((Date.now() / 1000 - uptime()) / COARSE_SECONDS)}`;
  }
}
