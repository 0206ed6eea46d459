import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, statSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { deferred } from '@switchyard/base';
import { processIdentity } from './proc-entry';
import { OutputCapture, discardOutputPipe, openOutputPipe, type OutputPipe } from './process-output';
import {
  environmentOf,
  followProcess,
  programWords,
  type ChildRun,
  type Exit,
  type FollowedProcess,
  type ProcessOptions,
  type SpawnError,
} from './process-run';

/**
 * Starts a process in its own session and follows it to its end.
 *
 * A run that ends by its time limit or by `end` leaves no processes behind, neither in its group nor, with `marker`, outside of it.
 * A run that ends on its own leaves its background processes alone.
 */
export function startProcess(options: ProcessOptions): ChildRun {
  const spawned = spawnChild(options);
  if ('child' in spawned) return followProcess(spawned.child, options);
  const empty = new OutputCapture(0).finish();
  const nothing = { exitCode: null, signal: null, stdout: empty, stderr: empty, survivors: [] };
  const result = spawned.failure.then((spawnError) => ({ ...nothing, cause: 'spawn-error' as const, spawnError }));
  return { identity: undefined, channels: [], result, end: () => undefined };
}

type Spawned = { readonly child: FollowedProcess } | { readonly failure: Promise<SpawnError> };

const FIRST_CHANNEL = 3;

/** Starts the child in its own session. A failure to start is a value, never an exception. */
function spawnChild(options: ProcessOptions): Spawned {
  const pipes = openPipes();
  try {
    const child = spawnWith(options, pipes);
    if (child.pid !== undefined) return { child: watch(child, pipes) };
    pipes?.forEach(discardOutputPipe);
    return { failure: spawnFailure(child, options) };
  } catch (thrown) {
    // Node.js throws for arguments that are too long or contain invalid bytes; other failures are events.
    pipes?.forEach(discardOutputPipe);
    return { failure: Promise.resolve(explain(thrown, options)) };
  }
}

function openPipes(): readonly [OutputPipe, OutputPipe] | undefined {
  const stdout = openOutputPipe();
  if (stdout === undefined) return undefined;
  const stderr = openOutputPipe();
  if (stderr !== undefined) return [stdout, stderr];
  discardOutputPipe(stdout);
  return undefined;
}

function spawnWith(options: ProcessOptions, pipes: readonly [OutputPipe, OutputPipe] | undefined): ChildProcess {
  const [file, args] = programWords(options);
  const [stdout, stderr] = pipes?.map((pipe) => pipe.writeFd) ?? [];
  const channels = Array.from({ length: options.channels ?? 0 }, () => 'pipe' as const);
  const child = spawn(file, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: environmentOf(options),
    detached: true,
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', stdout ?? 'pipe', stderr ?? 'pipe', ...channels],
  });
  // A child may close its input without reading it.
  child.stdin?.on('error', () => undefined).end(options.stdin);
  return child;
}

function watch(child: ChildProcess, pipes: readonly [OutputPipe, OutputPipe] | undefined): FollowedProcess {
  const exited = deferred<Exit>();
  child.once('exit', (exitCode, signal) => exited.resolve({ exitCode, signal }));
  child.on('error', () => undefined);
  pipes?.forEach((pipe) => closeSync(pipe.writeFd));
  const [stdout, stderr] = pipes?.map((pipe) => pipe.reader) ?? [];
  return {
    identity: processIdentity(child.pid!),
    stdout: stdout ?? child.stdout!,
    stderr: stderr ?? child.stderr!,
    channels: child.stdio.slice(FIRST_CHANNEL) as Duplex[],
    exited: exited.promise,
  };
}

function spawnFailure(child: ChildProcess, options: ProcessOptions): Promise<SpawnError> {
  const failure = deferred<SpawnError>();
  child.once('error', (thrown) => failure.resolve(explain(thrown, options)));
  return failure.promise;
}

/** The system reports an invalid working directory like an invalid program. This distinguishes the two. */
function explain(thrown: unknown, options: ProcessOptions): SpawnError {
  const cwdError = options.cwd === undefined ? undefined : directoryError(options.cwd);
  return cwdError ?? spawnError(thrown, programWords(options)[0]);
}

function directoryError(path: string): SpawnError | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : { code: 'ENOTDIR', path, message: `Not a directory: '${path}'` };
  } catch (thrown) {
    return spawnError(thrown, path);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  E2BIG: 'Argument list too long',
};

function spawnError(thrown: unknown, path: string): SpawnError {
  const { code = 'UNKNOWN', message } = thrown as NodeJS.ErrnoException;
  const reason = REASONS[code];
  return { code, path, message: reason === undefined ? message : `${reason}: '${path}'` };
}
