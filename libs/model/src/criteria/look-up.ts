import { isPlainObject } from '@switchyard/base';
import { BoundedCache } from '../schema/bounded-cache';
import { NotApplicable, type CriteriaDocument } from './criterion';

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

/** The values reached by one step from a value; calls `spend` for each visited value. */
type PathStep = (value: unknown, spend: () => void) => Iterable<unknown>;

/**
 * Parses a path: `a.b`, `a['b']`, `a[0]`, `a[-1]`, `a[1:3]`, `a[*]`, `a.*`, `a..b`, `a.b,c`; a leading `$` is ignored.
 * @throws NotApplicable for a text that is not a path
 */
function parseKeyPath(path: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  let position = /^\s*(?:\$\s*(?:\.(?!\.))?)?/.exec(path)?.[0].length ?? 0;
  while (position < path.length) {
    STEP.lastIndex = position;
    const found = STEP.exec(path);
    const joined = found?.[1] !== undefined || found?.[4] !== undefined || steps.length === 0;
    if (!found || !joined) throw new NotApplicable(`Parse error in the path "${path}" at position ${position}`);
    position = STEP.lastIndex;
    steps.push(found[1] === '..' ? intoAll(stepOf(found)) : stepOf(found));
  }
  if (steps.length === 0) throw new NotApplicable('The path is empty');
  return steps;
}

const NAME = `[\\p{L}\\p{Nd}_@-]+|'[^']*'|"[^"]*"`;
const NAMES = `(?:${NAME})(?:\\s*,\\s*(?:${NAME}))*`;
const STEP = new RegExp(`\\s*(\\.\\.|\\.)?\\s*(?:(\\*)|(${NAMES})|\\[\\s*(\\*|-?\\d+|-?\\d*\\s*:\\s*-?\\d*|${NAMES})\\s*\\])\\s*`, 'uy'); // oxfmt-ignore

function stepOf([, , star, names, bracket]: RegExpExecArray): PathStep {
  if (star !== undefined) return eachField;
  if (names !== undefined) return fields(names);
  if (bracket === '*') return eachItem;
  if (/^-?\d+$/.test(bracket as string)) return itemAt(Number(bracket));
  const slice = /^(-?\d*)\s*:\s*(-?\d*)$/.exec(bracket as string);
  return slice ? itemsBetween(bound(slice[1]), bound(slice[2])) : fields(bracket as string);
}

const bound = (text: string | undefined): number | undefined => (text ? Number(text) : undefined);

function fields(written: string): PathStep {
  const names = [...written.matchAll(new RegExp(NAME, 'gu'))].map(([name]) => name.replace(/^(['"])(.*)\1$/su, '$2'));
  return (value) =>
    isPlainObject(value) ? names.filter((name) => Object.hasOwn(value, name)).map((name) => value[name]) : [];
}

const eachField: PathStep = (value) => (isPlainObject(value) ? Object.values(value) : []);

/** A value that is not a list is treated as a list of itself. */
const eachItem: PathStep = (value) => (Array.isArray(value) ? (value as unknown[]) : value === null ? [] : [value]);

const itemAt =
  (index: number): PathStep =>
  (value) => {
    const list: unknown = typeof value === 'string' ? [...value] : value;
    return Array.isArray(list) && index < list.length && index >= -list.length ? [list.at(index) as unknown] : [];
  };

const itemsBetween =
  (from: number | undefined, to: number | undefined): PathStep =>
  (value, spend) =>
    Array.from(eachItem(value, spend)).slice(from, to);

const intoAll = (step: PathStep): PathStep =>
  function* descend(value, spend): Generator {
    const waiting = [value];
    while (waiting.length > 0) {
      spend();
      const next = waiting.pop();
      yield* step(next, spend);
      const inner = Array.isArray(next) ? next : isPlainObject(next) ? Object.values(next) : [];
      for (let index = inner.length - 1; index >= 0; index -= 1) waiting.push(inner[index]);
    }
  };
