import { isIterator } from './lazy';

/** Iterators give their items, everything else counts as one. */
export function* expanded(args: Iterable<unknown>): Generator<unknown> {
  for (const each of args) {
    if (isIterator(each)) yield* each;
    else yield each;
  }
}
