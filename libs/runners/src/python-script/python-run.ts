import { closeSync } from 'node:fs';
import { messageOf } from '@switchyard/base';
import {
  startProcess,
  type ChildRun,
  type ProcessOptions,
  bootId,
  discardOutputPipe,
  followProcess,
  openOutputPipe,
  type Exit,
  type OutputPipe,
} from '@switchyard/subprocess';
import type { ActionDocument } from './action-document';
import { ResultLine } from './result-line';
import { WarmWorker, type BegunRun } from './warm/warm-worker';

/** A run whose process has started, in a warm worker or in its own interpreter. */
export interface PythonRun {
  readonly child: ChildRun;
  readonly line: ResultLine | undefined;
  /** Why it failed for reasons outside of its process. */
  failure?: string;
}

/** @param warn receives the reason when a warm worker could not take the run */
export async function startPythonRun(
  document: ActionDocument,
  pythonPath: readonly string[],
  options: ProcessOptions,
  worker: WarmWorker | undefined,
  warn: (reason: string) => void,
): Promise<PythonRun> {
  if (worker === undefined) return startIsolated(document, options);
  try {
    return await startWarm(worker, document, pythonPath, options);
  } catch (thrown) {
    // `startWarm` guarantees that nothing of the action has run.
    warn(messageOf(thrown));
    return startIsolated(document, options);
  }
}

function startIsolated(document: ActionDocument, options: ProcessOptions): PythonRun {
  const child = startProcess({ ...options, channels: 1 });
  const [channel] = child.channels;
  if (channel === undefined) return { child, line: undefined };
  const line = new ResultLine(channel);
  channel.write(`${JSON.stringify(document)}\n`);
  return { child, line };
}

type Pipes = readonly [OutputPipe, OutputPipe, OutputPipe];

/**
 * Starts a run in a process forked by a warm worker.
 * @throws Error with the reason; nothing of the action has run then, nor will
 */
async function startWarm(
  worker: WarmWorker,
  document: ActionDocument,
  pythonPath: readonly string[],
  options: ProcessOptions,
): Promise<PythonRun> {
  const marker = options.marker?.value ?? '';
  if (!WarmWorker.fits(marker)) throw new Error('The id of the execution is too long for a warm worker.');
  const pipes = openPipes();
  try {
    const [stdout, stderr, result] = pipes;
    const environment = { ...options.env, ...(options.marker && { [options.marker.name]: marker }) };
    const begun = await worker.begin(
      { marker, fds: [stdout.writeFd, stderr.writeFd, result.writeFd] },
      { ...document, environment, python_path: pythonPath },
    );
    pipes.forEach(({ writeFd }) => closeSync(writeFd));
    return follow(begun, pipes, options);
  } catch (thrown) {
    pipes.forEach(discardOutputPipe);
    throw thrown;
  }
}

function openPipes(): Pipes {
  const pipes = [openOutputPipe(), openOutputPipe(), openOutputPipe()];
  const [stdout, stderr, result] = pipes;
  if (stdout && stderr && result) return [stdout, stderr, result];
  for (const pipe of pipes) if (pipe) discardOutputPipe(pipe);
  throw new Error('There are no pipes for a warm worker.');
}

function follow(
  { pid, startTime, exited }: BegunRun,
  [stdout, stderr, result]: Pipes,
  options: ProcessOptions,
): PythonRun {
  const identity = { pid, startTime, bootId: bootId() };
  const known = exited.catch((thrown: unknown) => lose(run, thrown));
  const child = followProcess({ identity, stdout: stdout.reader, stderr: stderr.reader, exited: known }, options);
  const run: PythonRun = { child, line: new ResultLine(result.reader) };
  return run;
}

/** The exit status of the process can no longer be known, so it is killed. */
function lose(run: PythonRun, thrown: unknown): Exit {
  run.failure = `The action was killed because its interpreter exited: ${(thrown as Error).message}`;
  run.child.end();
  return { exitCode: null, signal: 'SIGKILL' };
}
