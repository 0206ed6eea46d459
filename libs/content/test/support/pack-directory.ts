import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Creates directories that are removed after the test. */
export class PackDirectories {
  private readonly made: string[] = [];

  async root(): Promise<string> {
    const root = await mkdtemp(join(tmpdir(), 'content-test-'));
    this.made.push(root);
    return root;
  }

  async clear(): Promise<void> {
    // Node.js 20 fails now and then because it removes a directory before its last entry.
    for (const root of this.made.splice(0)) await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

export type Files = Record<string, string | Buffer>;

/** Writes files below a directory. */
export async function writeFiles(directory: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
}

export const packFile = (name: string, more = ''): string =>
  `name: ${name}\ndescription: A pack.\nversion: 1.0.0\nauthor: Somebody\n${more}`;

export const actionFile = (name: string, more = ''): string => `name: ${name}\nrunner_type: noop\n${more}`;
