import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { endsWithUs } from '../../system/ends-with-us';

export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { directory, environment, input = '' }: RunOptions = {},
): Promise<ProgramResult> {
  const child = spawn(program, args, { cwd: directory, env: { ...process.env, ...environment } });
  endsWithUs(child, () => void child.kill());
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code: code ?? -1, stdout, stderr };
}
