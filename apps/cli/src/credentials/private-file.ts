import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file atomically, readable by its owner only. Readers see either the old or the new content. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
