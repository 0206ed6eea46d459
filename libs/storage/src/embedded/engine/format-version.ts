import { fault } from '@switchyard/base';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Increases when the meaning of the stored bytes changes. */
export const FORMAT_VERSION = 2;
const FILE = 'format.json';

/**
 * Checks that this program can read a directory, and marks a new one.
 * @throws Fault `storage.format`
 */
export function checkFormat(directory: string): void {
  const found = readFormat(directory);
  if (found === undefined) writeFileSync(join(directory, FILE), `${JSON.stringify({ format: FORMAT_VERSION })}\n`);
  else if (found !== FORMAT_VERSION) throw fault('storage.format', { directory, found, known: FORMAT_VERSION });
}

function readFormat(directory: string): number | string | undefined {
  let text: string;
  try {
    text = readFileSync(join(directory, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return (JSON.parse(text) as { format: number }).format;
  } catch {
    return 'unreadable';
  }
}
