import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** More than the event loop of a `vm` watchdog opens on any system. */
const SPARE = 12;
const spare: number[] = [];

/**
 * Runs something that opens a few file descriptors and would end the whole process if none were left. Some are kept for it, and are closed
 * while it runs.
 * @throws Error EMFILE or ENFILE if the ones that it needs could not be kept
 */
export function withSpareDescriptors<T>(run: () => T): T {
  reserve();
  for (const descriptor of spare.splice(0)) closeSync(descriptor);
  try {
    return run();
  } finally {
    try {
      reserve();
    } catch {
      // Others have taken them. The next call tries again first.
    }
  }
}

function reserve(): void {
  while (spare.length < SPARE) spare.push(openSync(devNull, 'r'));
}
