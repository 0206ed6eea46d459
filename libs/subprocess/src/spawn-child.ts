import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, statSync } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { deferred } from '@switchyard/base';
import { discardOutputPipe, openOutputPipe, type OutputPipe } from './process-output';
import { processIdentity, type ProcessIdentity } from './proc-entry';
import type { ProcessOptions, SpawnError } from './process-run';

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process with its output streams. */
export interface FollowedProcess {
  readonly identity: ProcessIdentity;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels?: readonly Duplex[];
  readonly exited: Promise<Exit>;
}

export type Spawned = { readonly child: FollowedProcess } | { readonly failure: Promise<SpawnError> };

const FIRST_CHANNEL = 3;

/** Starts the child in its own session. A failure to start is a value, never an exception. */
export function spawnChild(options: ProcessOptions): Spawned {
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
  const [file, args] = commandLine(options);
  const [stdout, stderr] = pipes?.map((pipe) => pipe.writeFd) ?? [];
  const channels = Array.from({ length: options.channels ?? 0 }, () => 'pipe' as const);
  const child = spawn(file, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { ...(options.env ?? process.env), ...(options.marker && { [options.marker.name]: options.marker.value }) },
    detached: true,
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', stdout ?? 'pipe', stderr ?? 'pipe', ...channels],
  });
  // A child may close its input without reading it.
  child.stdin?.on('error', () => undefined).end(options.stdin);
  return child;
}

function commandLine({ command }: ProcessOptions): [string, readonly string[]] {
  if ('file' in command) return [command.file, command.args ?? []];
  return [command.shell ?? '/bin/sh', ['-c', command.script, ...(command.args ?? [])]];
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

/** The system reports an invalid working directory like an invalid program. This tells the two apart. */
function explain(thrown: unknown, options: ProcessOptions): SpawnError {
  const cwdError = options.cwd === undefined ? undefined : directoryError(options.cwd);
  return cwdError ?? spawnError(thrown, commandLine(options)[0]);
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
