import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the code of sensors lies in a pack. */
const FOLDERS = ['sensors', 'lib'];
const OTHER = /^(__pycache__|node_modules|\..*|.*\.pyc)$/;

/** A fingerprint of the code that the sensors of a pack may use: when it changes, they have to be started anew. */
export function sourceHash(packDirectory: string): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) addFolder(hash, packDirectory, folder);
  return hash.digest('hex');
}

function addFolder(hash: ReturnType<typeof createHash>, root: string, folder: string): void {
  for (const entry of entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (OTHER.test(entry.name)) continue;
    if (entry.isDirectory()) addFolder(hash, root, path);
    else if (entry.isFile())
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0');
  }
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
