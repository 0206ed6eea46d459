import { closeSync } from 'node:fs';
import { bootId, discardOutputPipe, followProcess, openOutputPipe } from '@switchyard/subprocess';
import type { Exit, OutputPipe, ProcessOptions } from '@switchyard/subprocess';
import type { ActionDocument } from '../action-document';
import type { PythonRun } from '../python-run';
import { ResultLine } from '../result-line';
import { WarmWorker, type BegunRun } from './warm-worker';

type Pipes = readonly [OutputPipe, OutputPipe, OutputPipe];

/**
 * Starts a run in a process that a warm worker forks.
 * @throws Error that says why nothing of the action has run, nor will
 */
export async function startWarm(
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

/** Nobody can tell any more how the process ends: it is ended. */
function lose(run: PythonRun, thrown: unknown): Exit {
  run.failure = `The action was ended, since its interpreter has ended: ${(thrown as Error).message}`;
  run.child.end();
  return { exitCode: null, signal: 'SIGKILL' };
}
