import { isPlainObject } from '@switchyard/base';
import { NotApplicable } from './criterion';

/** The values reached by one step from a value; calls `spend` for each visited value. */
export type PathStep = (value: unknown, spend: () => void) => Iterable<unknown>;

/**
 * Parses a path: `a.b`, `a['b']`, `a[0]`, `a[-1]`, `a[1:3]`, `a[*]`, `a.*`, `a..b`, `a.b,c`; a leading `$` is ignored.
 * @throws NotApplicable for a text that is not a path
 */
export function parseKeyPath(path: string): readonly PathStep[] {
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
const STEP = new RegExp(`\\s*(\\.\\.|\\.)?\\s*(?:(\\*)|(${NAMES})|\\[\\s*(\\*|-?\\d+|-?\\d*\\s*:\\s*-?\\d*|${NAMES})\\s*\\])\\s*`, 'uy'); // prettier-ignore

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
