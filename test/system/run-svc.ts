import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './system-process';

export interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line. @param input text for standard input */
export const svc = (words: readonly string[], input = ''): Promise<Ended> =>
  run(process.execPath, [join(ROOT, 'apps/cli/dist/main.js'), ...words], input);

/** Runs a program to its end. */
export async function run(program: string, words: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(program, words);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [unknown];
  return { code, stdout, stderr };
}
