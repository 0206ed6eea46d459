import { charge } from '../run/budget';
import type { JinjaRendering } from '../run/run';
import { jinjaDictEntries, jinjaDictGet, jinjaDictHas, isJinjaDict, isJinjaList } from '../values/collections';
import { JinjaError } from '../values/jinja-error';

const STEP =
  /\s*(?:(\.\.)|\.)?\s*(?:(\*)|([\p{L}_@][\p{L}\p{Nd}_@-]*(?:\s*,\s*[\p{L}_@][\p{L}\p{Nd}_@-]*)*)|\(([^()]*)\)|'([^']*)'|"([^"]*)"|\[\s*(?:(\*)|(-?\d*)\s*:\s*(-?\d*)(?:\s*:\s*(-?\d*))?|(-?\d+(?:\s*,\s*-?\d+)*)|((?:'[^']*'|"[^"]*")(?:\s*,\s*(?:'[^']*'|"[^"]*"))*))\s*\])\s*/uy;

const LONGEST = 2_000;

type Step = (value: unknown) => unknown[];

/**
 * Returns all matches of a JSONPath: `$`, fields, `*`, `[n]`, `[n,m]`, `[a:b]`, `['field']`, `a,b`, `(a|b)`, `..field`.
 * @throws ValueError for an invalid path
 */
export function queryJsonPath(root: unknown, path: string, run: JinjaRendering): unknown[] {
  let found = [root];
  for (const step of parsePath(path)) {
    found = found.flatMap(step);
    run.budget.produce(found.length * 32);
  }
  return found;
}

function parsePath(path: string): Step[] {
  if (path.length > LONGEST) throw new JinjaError('ValueError', `The JSONPath is longer than ${LONGEST} characters`);
  const steps: Step[] = [];
  let position = /^\s*\$?/.exec(path)?.[0].length ?? 0;
  while (position < path.length) {
    STEP.lastIndex = position;
    const match = STEP.exec(path);
    if (match === null || STEP.lastIndex === position) {
      throw new JinjaError('ValueError', `Parse error in the JSONPath "${path}" at position ${position}`);
    }
    position = STEP.lastIndex;
    const step = stepOf(match);
    steps.push(match[1] === undefined ? step : (value) => descendants(value).flatMap(step));
  }
  return steps;
}

function stepOf(match: RegExpExecArray): Step {
  const [, , star, list, union, single, double, every, from, to, by, indexes, names] = match;
  if (star !== undefined) return (value) => children(value, false);
  if (every !== undefined) return (value) => children(value, true);
  if (list !== undefined) return eachField(list.split(',').map((name) => name.trim()));
  if (union !== undefined) return unionOf(union.split('|').map(parsePath));
  const field = single ?? double;
  if (field !== undefined) return (value) => fieldOf(value, field);
  if (indexes !== undefined) {
    const wanted = indexes.split(',').map(Number);
    return (value) =>
      wanted.flatMap((index) => (isJinjaList(value) && value.at(index) !== undefined ? [value.at(index)] : []));
  }
  if (names !== undefined) {
    return eachField([...names.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, a, b]) => a ?? b ?? ''));
  }
  return (value) => sliceOf(value, bound(from), bound(to), bound(by) ?? 1);
}

const eachField =
  (names: readonly string[]): Step =>
  (value) =>
    names.flatMap((name) => fieldOf(value, name));

const unionOf =
  (paths: readonly (readonly Step[])[]): Step =>
  (value) =>
    paths.flatMap((steps) => steps.reduce<unknown[]>((found, step) => found.flatMap(step), [value]));

const bound = (text: string | undefined): number | undefined =>
  text === undefined || text === '' ? undefined : Number(text);

const fieldOf = (value: unknown, name: string): unknown[] =>
  isJinjaDict(value) && jinjaDictHas(value, name) ? [jinjaDictGet(value, name)] : [];

function children(value: unknown, listsOnly: boolean): unknown[] {
  if (isJinjaList(value)) return Array.from(value);
  if (listsOnly) return value === null || value === undefined ? [] : [value];
  return isJinjaDict(value) ? jinjaDictEntries(value).map(([, item]) => item) : [];
}

function sliceOf(value: unknown, from: number | undefined, to: number | undefined, by: number): unknown[] {
  if (!isJinjaList(value)) return [];
  return Array.from(value).slice(from, to).filter((_, index) => by > 0 && index % by === 0); // oxfmt-ignore
}

/** The value and everything inside it. */
function descendants(value: unknown): unknown[] {
  const inner = isJinjaList(value)
    ? Array.from(value)
    : isJinjaDict(value)
      ? jinjaDictEntries(value).map(([, item]) => item)
      : [];
  charge(inner.length + 1);
  return [value, ...inner.flatMap(descendants)];
}
