import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = join(__dirname, '../../dist/main.js');

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running extends Promise<Finished> {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves once stdout contains the text. */
  printed(text: string): Promise<void>;
}

/** Starts the built command as a separate process. */
export function svc(args: readonly string[], env: Record<string, string>, input = ''): Running {
  if (!existsSync(MAIN)) throw new Error('The command is not built. Run `npm run build` first.');
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => stdout.includes(text) && resolve();
      child.stdout.on('data', look);
      look();
    });
  child.stdout.on('data', (piece) => (stdout += String(piece)));
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return Object.assign(finished, { child, printed });
}
