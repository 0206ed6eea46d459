import { closeSync } from 'node:fs';
import { messageOf } from '@switchyard/base';
import {
  startProcess,
  type ChildRun,
  type ProcessOptions,
  bootId,
  followProcess,
  PipeEnd,
  pipeReader,
  type Exit,
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

/** A warm worker, and where pipes for the output of its processes come from. */
export interface WarmStart {
  readonly worker: WarmWorker;
  takePipes(count: number): Promise<number[] | undefined>;
}

/** @param warn receives the reason when a warm worker could not take the run */
export async function startPythonRun(
  document: ActionDocument,
  pythonPath: readonly string[],
  options: ProcessOptions,
  warm: WarmStart | undefined,
  warn: (reason: string) => void,
): Promise<PythonRun> {
  if (warm === undefined) return startIsolated(document, options);
  try {
    return await startWarm(warm, document, pythonPath, options);
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

/**
 * Starts a run in a process forked by a warm worker.
 * @throws Error with the reason; nothing of the action has run then, nor will
 */
async function startWarm(
  { worker, takePipes }: WarmStart,
  document: ActionDocument,
  pythonPath: readonly string[],
  options: ProcessOptions,
): Promise<PythonRun> {
  const marker = options.marker?.value ?? '';
  if (!WarmWorker.fits(marker)) throw new Error('The id of the execution is too long for a warm worker.');
  const [stdout, stderr, result] = (await takePipes(3)) ?? [];
  if (stdout === undefined || stderr === undefined || result === undefined)
    throw new Error('There are no pipes for a warm worker.');
  const fds = [stdout, stderr, result] as const;
  try {
    const environment = { ...options.env, ...(options.marker && { [options.marker.name]: marker }) };
    const begun = await worker.begin(
      { marker, fds },
      { ...document, ...worker.changesTo(environment), python_path: pythonPath },
    );
    return follow(begun, fds, options);
  } catch (thrown) {
    fds.forEach((fd) => closeSync(fd));
    throw thrown;
  }
}

function follow(
  { pid, startTime, exited }: BegunRun,
  [stdout, stderr, result]: readonly [number, number, number],
  options: ProcessOptions,
): PythonRun {
  const identity = { pid, startTime, bootId: bootId() };
  const known = exited.catch((thrown: unknown) => lose(run, thrown));
  const output = { stdout: new PipeEnd(stdout), stderr: new PipeEnd(stderr) };
  const child = followProcess({ identity, ...output, exited: known }, options);
  const run: PythonRun = { child, line: new ResultLine(pipeReader(result)) };
  return run;
}

/** The exit status of the process can no longer be known, so it is killed. */
function lose(run: PythonRun, thrown: unknown): Exit {
  run.failure = `The action was killed because its interpreter exited: ${(thrown as Error).message}`;
  run.child.end();
  return { exitCode: null, signal: 'SIGKILL' };
}
