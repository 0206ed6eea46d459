import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file of a pack relative to its directory, sorted, without version control and compiled Python. */
export async function listPackFiles(directory: string, below = ''): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (entry.name !== '.git') files.push(...(await listPackFiles(directory, path)));
    } else if (!entry.name.endsWith('.pyc')) files.push(path);
  }
  return below === '' ? files.sort() : files;
}
