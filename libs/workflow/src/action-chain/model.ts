import type { Assignment } from '../spec/model';

export interface ChainNode {
  readonly name: string;
  /** Literal, never rendered. */
  readonly ref: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly onSuccess?: string;
  readonly onFailure?: string;
  readonly publish: readonly Assignment[];
  /** As it is written: `on-complete`, `on-success`, `on-failure`. */
  readonly notify?: Readonly<Record<string, unknown>>;
  /** All of it as it is written, by the names of the definition. */
  readonly written: Readonly<Record<string, unknown>>;
}

/** A checked action chain. Exactly one node runs at a time. */
export interface ActionChain {
  readonly nodes: ReadonlyMap<string, ChainNode>;
  /** The name of the first node to run. */
  readonly start: string;
  readonly vars: readonly Assignment[];
}
