import { Interruption } from '../../evaluate/scope';
import type { Operation } from './operation';
import type { Budget } from './budget';

/** One datastore item that a template reads. */
export interface DatastoreKey {
  readonly scope: 'system' | 'user';
  readonly name: string;
  readonly decrypt: boolean;
}

/** Thrown when a template reads an item that was not given to it: the caller fetches it and renders again. */
export class MissingItem extends Interruption {
  constructor(readonly key: DatastoreKey) {
    super(`The datastore item "${key.scope}.${key.name}" has not been read.`);
  }
}

/** Everything that one rendering needs besides its names. */
export interface Run {
  readonly budget: Budget;
  /** Missing names and keys print as nothing. */
  readonly lenient: boolean;
  readonly filter: (name: string) => Operation | undefined;
  readonly test: (name: string) => Operation | undefined;
  /** The item's text, or undefined when there is none. @throws MissingItem */
  readonly datastore: ((key: DatastoreKey) => string | undefined) | undefined;
  readonly decrypt: ((ciphertext: string) => string) | undefined;
  readonly random: () => number;
}

/** What templates call: macros, methods bound to their value, functions given with the context. */
export type Callable = (args: readonly unknown[], named: Readonly<Record<string, unknown>>, run: Run) => unknown;
