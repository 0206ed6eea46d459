import { Interruption } from '../../evaluate/scope';
import type { Operation } from './operation';
import type { RenderBudget } from './budget';

/** A datastore item that a template reads. */
export interface DatastoreKey {
  readonly scope: 'system' | 'user';
  readonly name: string;
  readonly decrypt: boolean;
}

/** Thrown when a template reads an item that is not loaded yet: the caller fetches it and renders again. */
export class MissingItem extends Interruption {
  constructor(readonly key: DatastoreKey) {
    super(`The datastore item "${key.scope}.${key.name}" has not been read.`);
  }
}

/** What a rendering needs besides its variables. */
export interface JinjaRendering {
  readonly budget: RenderBudget;
  /** Whether missing names and keys print as nothing. */
  readonly lenient: boolean;
  readonly filter: (name: string) => Operation | undefined;
  readonly test: (name: string) => Operation | undefined;
  /** Returns the item's text, or undefined when there is none. @throws MissingItem */
  readonly datastore: ((key: DatastoreKey) => string | undefined) | undefined;
  readonly decrypt: ((ciphertext: string) => string) | undefined;
  readonly random: () => number;
}

/** What templates can call: macros, bound methods, functions of the context. */
export type Callable = (
  args: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
  run: JinjaRendering,
) => unknown;
