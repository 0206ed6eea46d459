import { fault, MINUTE_MS } from '@switchyard/base';
import { startProcess, type ProcessResult } from '@switchyard/subprocess';
import { createLineSplitter } from './line-splitter';
import { maskAddresses } from './mask-addresses';
import type { OnOutput } from './virtualenv-settings';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A program that hangs must not keep others from the pack for ever. */
const LIMIT_MS = 60 * MINUTE_MS;
const LAST_LINES = 20;

/**
 * Runs a program to its end.
 * @returns false when there is no such program
 * @throws Fault `content.virtualenv` with the last lines that it printed, when it fails
 */
export async function runProgram(pack: string, program: Program, onOutput: OnOutput): Promise<boolean> {
  const last: string[] = [];
  const take = (line: string): void => {
    const masked = maskAddresses(line);
    last.push(masked.trimEnd());
    if (last.length > LAST_LINES) last.shift();
    onOutput(masked);
  };
  const splitters = { stdout: createLineSplitter(take), stderr: createLineSplitter(take) };
  const result = await startProcess({
    command: { file: program.file, args: program.args },
    cwd: program.cwd,
    env: program.environment,
    timeoutMs: LIMIT_MS,
    maxOutputBytes: 0,
    onOutput: (stream, chunk) => splitters[stream].add(chunk),
  }).result;
  splitters.stdout.end();
  splitters.stderr.end();
  if (result.exitCode === 0) return true;
  if (result.spawnError?.code === 'ENOENT') return false;
  const reason = [`${program.file} ${howItEnded(result)}`, ...last].join('\n');
  throw fault('content.virtualenv', { pack, reason });
}

function howItEnded({ cause, exitCode, signal, spawnError }: ProcessResult): string {
  if (spawnError) return `cannot be started: ${spawnError.message}`;
  if (cause === 'timeout') return `did not end within ${LIMIT_MS / MINUTE_MS} minutes`;
  return exitCode === null ? `was ended by ${signal}` : `ended with code ${exitCode}`;
}
