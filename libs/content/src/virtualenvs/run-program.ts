import { StringDecoder } from 'node:string_decoder';
import { fault, MINUTE_MS } from '@switchyard/base';
import { maskAddresses } from '@switchyard/model';
import { startProcess, type EnvironmentMarker, type ProcessResult } from '@switchyard/subprocess';
import { createFailureExplainer } from './explain-failure';
import type { OnOutput } from './virtualenv-settings';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly abort?: AbortSignal | undefined;
  readonly marker: EnvironmentMarker;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A hanging program must not block the pack forever. */
const LIMIT_MS = 60 * MINUTE_MS;
/** How many lines and characters from the end of the output the error contains at most. */
const LAST_LINES = 30;
const LAST_CHARACTERS = 6000;

/**
 * Runs a program to its end.
 * @returns false when the program does not exist
 * @throws Fault `content.virtualenv` when it fails: its first line says why, the last lines of output follow
 */
export async function runSetupProgram(pack: string, program: Program, onOutput: OnOutput): Promise<boolean> {
  const last: string[] = [];
  const explainer = createFailureExplainer();
  const take = (line: string): void => {
    const masked = maskAddresses(line);
    explainer.add(masked.trimEnd());
    last.push(masked.trimEnd());
    if (last.length > LAST_LINES) last.shift();
    onOutput(masked);
  };
  const splitters = { stdout: createLineSplitter(take), stderr: createLineSplitter(take) };
  const running = startProcess({
    command: { file: program.file, args: program.args },
    cwd: program.cwd,
    env: program.environment,
    marker: program.marker,
    timeoutMs: LIMIT_MS,
    maxOutputBytes: 0,
    onOutput: (stream, chunk) => splitters[stream].add(chunk),
  });
  const end = () => running.end();
  program.abort?.addEventListener('abort', end, { once: true });
  if (program.abort?.aborted === true) end();
  const result = await running.result;
  program.abort?.removeEventListener('abort', end);
  splitters.stdout.end();
  splitters.stderr.end();
  if (result.exitCode === 0) return true;
  if (result.spawnError?.code === 'ENOENT') return false;
  const explained = explainer.reason === undefined ? [] : [explainer.reason];
  const reason = [...explained, `${program.file} ${howItEnded(result)}`, endOf(last)].join('\n').trimEnd();
  throw fault('content.virtualenv', { pack, reason });
}

function endOf(lines: readonly string[]): string {
  const text = lines.join('\n');
  return text.length <= LAST_CHARACTERS ? text : `…${text.slice(-LAST_CHARACTERS)}`;
}

function howItEnded({ cause, exitCode, signal, spawnError }: ProcessResult): string {
  if (spawnError) return `could not be started: ${spawnError.message}`;
  if (cause === 'timeout') return `did not end within ${LIMIT_MS / MINUTE_MS} minutes`;
  return exitCode === null ? `was killed by ${signal}` : `exited with code ${exitCode}`;
}

/** Longer lines are passed on in pieces. */
const LONGEST_LINE = 64 * 1024;

/** Joins chunks into whole lines, so that searches in the text do not miss matches across chunks. */
function createLineSplitter(take: (line: string) => void): { add(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    add(chunk) {
      const lines = (rest + decoder.write(chunk)).split(/(?<=\n)/);
      rest = '';
      for (const line of lines) {
        if (line.endsWith('\n') || line.length > LONGEST_LINE) take(line);
        else rest = line;
      }
    },
    end() {
      const last = rest + decoder.end();
      rest = '';
      if (last !== '') take(`${last}\n`);
    },
  };
}
