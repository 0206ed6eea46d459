import { messageOf } from '@switchyard/base';
import { guardedRegExp, type GuardedRegExp } from '@switchyard/model';
import { Interruption } from '../../evaluate/scope';
import { notInSlice } from '../../turns/slice';
import { filterOperation, type NamedOperations } from '../run/operation';
import type { JinjaRendering } from '../run/run';
import { tuple } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { intArgument } from '../values/plain';
import { toText } from '../values/text';
import { jinjaTruth } from '../values/sequence';

/** Filters with Python regular expressions; any value is converted to text. */
export const regexFilters: NamedOperations = {
  regex_match: filterOperation(['pattern', 'ignorecase'], (value, run, pattern, ignore = false) =>
    guarded(run, () => compiled(pattern, ignore, toText(value)).match(toText(value)) !== null), 1),
  regex_search: filterOperation(['pattern', 'ignorecase'], (value, run, pattern, ignore = false) =>
    guarded(run, () => compiled(pattern, ignore, toText(value)).test(toText(value))), 1),
  regex_replace: filterOperation(['pattern', 'replacement', 'ignorecase'], (value, run, pattern, by, ignore = false) =>
    substitute(toText(value), allMatches(toText(value), pattern, ignore, run), toText(by), run), 2),
  regex_substring: filterOperation(['pattern', 'result_index', 'ignorecase'], (value, run, pattern, index = 0, ignore = false) =>
    substring(allMatches(toText(value), pattern, ignore, run), intArgument(index, 'result_index')), 1),
}; // oxfmt-ignore

/** @param text the text to match */
function compiled(pattern: unknown, ignoreCase: unknown, text: string): GuardedRegExp {
  const expression = guardedRegExp(toText(pattern), jinjaTruth(ignoreCase) ? 'i' : '');
  if (!expression.isCheapOn(text)) notInSlice();
  return expression;
}

/** An invalid or slow pattern fails the template like any other bad argument. */
function guarded<T>(run: JinjaRendering, work: () => T): T {
  run.budget.checkTime();
  try {
    return work();
  } catch (error) {
    if (error instanceof JinjaError || error instanceof Interruption) throw error;
    throw new JinjaError('ValueError', messageOf(error), { cause: error });
  }
}

function allMatches(text: string, pattern: unknown, ignoreCase: unknown, run: JinjaRendering): RegExpExecArray[] {
  return guarded(run, () => {
    const expression = compiled(pattern, ignoreCase, text);
    const found: RegExpExecArray[] = [];
    let from = 0;
    while (from <= text.length) {
      run.budget.spend();
      run.budget.checkTime();
      const match = expression.exec(text, from);
      if (match === null) break;
      found.push(match);
      from = match.index + match[0].length;
      // Step past an empty match; a surrogate pair is one character.
      if (match[0] === '') from += (text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1;
    }
    return found;
  });
}

function substitute(
  text: string,
  matches: readonly RegExpExecArray[],
  replacement: string,
  run: JinjaRendering,
): string {
  let result = '';
  let at = 0;
  for (const match of matches) {
    const inserted = expand(replacement, match);
    run.budget.produce(result.length + inserted.length);
    result += text.slice(at, match.index) + inserted;
    at = match.index + match[0].length;
  }
  return result + text.slice(at);
}

const TEMPLATE = /\\(?:g<([^>]*)>|([1-9]\d?)|([\s\S]))/g;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '0': '\0',
};

/** Expands Python's replacement syntax: `\1`, `\g<1>`, `\g<name>` and the usual escapes. */
function expand(replacement: string, match: RegExpExecArray): string {
  if (!replacement.includes('\\')) return replacement;
  return replacement.replace(TEMPLATE, (all: string, name?: string, number?: string, char?: string) => {
    if (char !== undefined) return ESCAPES[char] ?? (/[a-zA-Z]/.test(char) ? badReference(`bad escape ${all}`) : all);
    const key = name ?? number ?? '';
    if (!/^\d+$/.test(key))
      return match.groups?.[key] ?? (key in (match.groups ?? {}) ? '' : badReference(`unknown group name '${key}'`));
    const index = Number(key);
    return index < match.length ? (match[index] ?? '') : badReference(`invalid group reference ${index}`);
  });
}

function badReference(message: string): never {
  throw new JinjaError('ValueError', message);
}

/** The match with that index as Python's `findall` returns it: its text, its group, or a tuple of its groups. */
function substring(matches: readonly RegExpExecArray[], index: number): unknown {
  const match = matches.at(index);
  if (match === undefined) throw new JinjaError('IndexError', 'list index out of range');
  const [whole, ...groups] = match.map((group) => (group as string | undefined) ?? '');
  return groups.length === 0 ? whole : groups.length === 1 ? groups[0] : tuple(groups);
}
