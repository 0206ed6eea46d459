import { BoundedCache } from '../schema/bounded-cache';
import { NotApplicable, type CriteriaDocument } from './criterion';
import { parseKeyPath, type PathStep } from './key-path';

/** The value of a key. An existing value may be null. */
export type LookedUp = { readonly found: true; readonly value: unknown } | { readonly found: false };

/**
 * Looks up a key of criteria, such as `trigger.body.items[0].name`; returns the first match of the path. Everything after a `#`
 * is not part of the path; it distinguishes two entries on one value.
 * @param document the roots of paths, `{trigger: payload}` or `{item: element}`
 * @throws NotApplicable for an invalid path, or one with too many matches
 */
export function lookUp(document: CriteriaDocument, key: string): LookedUp {
  return follow(
    document,
    key,
    cache.get(key, () => stepsOf(key)),
  );
}

/** `lookUp` for one key that is used often. An invalid key is reported when it is used. */
export function keyReader(key: string): (document: CriteriaDocument) => LookedUp {
  let steps: readonly PathStep[] | undefined;
  return (document) => follow(document, key, (steps ??= stepsOf(key)));
}

const stepsOf = (key: string): readonly PathStep[] => parseKeyPath(key.replace(/#[^]*$/, '').trim());

function follow(document: CriteriaDocument, key: string, steps: readonly PathStep[]): LookedUp {
  let left = MOST_VALUES;
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new NotApplicable(`The path "${key}" leads to too many places`);
  };
  return first(document, steps, 0, spend);
}

const cache = new BoundedCache<string, readonly PathStep[]>(1000);

/** Some milliseconds at most; only paths with several `..` and wildcards reach the limit. */
const MOST_VALUES = 100_000;

function first(value: unknown, steps: readonly PathStep[], at: number, spend: () => void): LookedUp {
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
