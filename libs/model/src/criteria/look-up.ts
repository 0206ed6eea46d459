import { BoundedCache } from '../schema/bounded-cache';
import { NotApplicable, type CriteriaDocument } from './criterion';
import { parseKeyPath, type Step } from './key-path';

/** What a key leads to. A value that is there may be null. */
export type LookedUp = { readonly found: true; readonly value: unknown } | { readonly found: false };

/**
 * The value of a key of criteria, such as `trigger.body.items[0].name`: the first one that the path leads to. What follows a
 * `#` belongs to no path; it tells two entries on one value apart.
 * @param document the roots of paths, `{trigger: payload}` or `{item: element}`
 * @throws NotApplicable for a key that is no path, or that leads to too many places
 */
export function lookUp(document: CriteriaDocument, key: string): LookedUp {
  return follow(
    document,
    key,
    cache.get(key, () => stepsOf(key)),
  );
}

/** `lookUp` for one key that is asked for often. A key that is no path shows when it is used. */
export function keyReader(key: string): (document: CriteriaDocument) => LookedUp {
  let steps: readonly Step[] | undefined;
  return (document) => follow(document, key, (steps ??= stepsOf(key)));
}

const stepsOf = (key: string): readonly Step[] => parseKeyPath(key.replace(/#[^]*$/, '').trim());

function follow(document: CriteriaDocument, key: string, steps: readonly Step[]): LookedUp {
  let left = MOST_VALUES;
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new NotApplicable(`The path "${key}" leads to too many places`);
  };
  return first(document, steps, 0, spend);
}

const cache = new BoundedCache<string, readonly Step[]>(1000);

/** Some milliseconds at most; only paths with `..` and wildcards in a row get there. */
const MOST_VALUES = 100_000;

function first(value: unknown, steps: readonly Step[], at: number, spend: () => void): LookedUp {
  const step = steps[at];
  if (!step) return { found: true, value };
  for (const next of step(value, spend)) {
    spend();
    const found = first(next, steps, at + 1, spend);
    if (found.found) return found;
  }
  return MISSING;
}

const MISSING: LookedUp = { found: false };
