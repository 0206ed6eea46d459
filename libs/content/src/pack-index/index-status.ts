/** What an index says about a pack: the attributes of its `pack.yaml`, `repo_url`, counts of its content. */
export type IndexEntry = Readonly<Record<string, unknown>>;

export type IndexProblem = 'malformed' | 'unresponsive' | 'empty' | 'other errors';

/** How the reading of one index went, as clients see it. */
export interface IndexStatus {
  /** Without user and password. */
  readonly url: string;
  /** How many packs it has. */
  readonly packs: number;
  readonly message: string;
  readonly error: IndexProblem | null;
}

export interface ReadIndex {
  readonly status: IndexStatus;
  readonly packs: ReadonlyMap<string, IndexEntry>;
}

/** Why an index cannot be used. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
  constructor(
    readonly problem: IndexProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
