/** One recorded answer, ready to be compared with ours. */
export interface Vector {
  /** Names the vector by what it asks, so that it stays the same in any order of lines. */
  readonly key: string;
  /** Asks us. @returns what is different, in words; undefined when nothing is */
  readonly check: () => string | undefined;
  /** Names the cause of a difference that `check` tells. */
  readonly classOf?: (difference: string) => string;
}

/** A kind of recorded answers: the files that hold it, and how their lines are asked. */
export interface VectorKind {
  /** Also the name of its list of differences. */
  readonly name: string;
  /** The names of its files, as they stand in `folder`. */
  readonly files: (folder: string) => readonly string[];
  readonly read: (folder: string, file: string) => readonly Vector[];
}
