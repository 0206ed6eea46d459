/** A program with its arguments, or a text for a shell (`/bin/sh` unless another one is named) to read. */
export type ProcessCommand =
  | { readonly file: string; readonly args?: readonly string[] }
  | { readonly script: string; readonly shell?: string; readonly args?: readonly string[] };

export type OutputStream = 'stdout' | 'stderr';

/** An environment variable by which descendants are recognised after they left the process group and the session. */
export interface EnvironmentMarker {
  readonly name: string;
  readonly value: string;
}

/**
 * How to signal processes that belong to somebody else, such as what `sudo` started: `command` is put in front of a
 * shell command (`['sudo', '-n']`), `input` is written to its standard input (a password line).
 */
export interface Elevation {
  readonly command: readonly [string, ...string[]];
  readonly input?: string;
}

export interface ProcessOptions {
  readonly command: ProcessCommand;
  readonly cwd?: string;
  /** The whole environment of the child. Absent: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Written to standard input, which is then closed. Absent: `/dev/null`. */
  readonly stdin?: string | Buffer;
  /** After so many milliseconds the child and its descendants are ended, and the run's cause is `timeout`. */
  readonly timeoutMs?: number;
  /** Time between the polite signal and the deadly one when the limit above is reached. Default 5 seconds. */
  readonly graceMs?: number;
  /** How much of each stream the result keeps: its head. Default 10 MiB. */
  readonly maxOutputBytes?: number;
  /** So many further connections, both ways, from file descriptor 3 of the child on. */
  readonly channels?: number;
  /** Set in the child's environment, and searched for when the run is ended. */
  readonly marker?: EnvironmentMarker;
  readonly elevation?: Elevation;
  /** Gets every chunk, also those that the result no longer keeps. While its promise is pending the child has to wait. */
  readonly onOutput?: (stream: OutputStream, chunk: Buffer) => void | Promise<void>;
}
