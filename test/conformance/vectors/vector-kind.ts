/** One recorded result to compare with. */
export interface Vector {
  /** Identifies the vector by its input, independent of the order of lines. */
  readonly key: string;
  /** Computes the result and compares it. @returns a description of the difference, or undefined */
  readonly check: () => string | undefined;
  /** Names the cause of a difference that `check` reports. */
  readonly classOf?: (difference: string) => string;
}

/** A kind of recorded results: its files and how to check their lines. */
export interface VectorKind {
  /** The name of the kind and of its list of differences. */
  readonly name: string;
  /** Matches the names of its files in `folder`. */
  readonly files: (folder: string) => readonly string[];
  readonly read: (folder: string, file: string) => readonly Vector[];
}
