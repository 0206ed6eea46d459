import { textLength } from '../../jinja/values/sequence';
import { Dict } from '../values/dict';

/** A match as selectors see it: `$` or `$1` is all of it, `$2` its first group, and groups with names are variables. */
export interface MatchRecords {
  readonly groups: readonly Dict[];
  readonly names: ReadonlyMap<string, Dict>;
}

export function matchRecords(match: RegExpExecArray, text: string): MatchRecords {
  const groups = Array.from(match, (value: string | undefined, index) => record(value, startOf(match, index), text));
  const names = new Map(Object.entries(match.groups ?? {}).map(([name]) => [name, named(match, name, groups)]));
  return { groups, names };
}

function record(value: string | undefined, units: number, text: string): Dict {
  if (value === undefined) return new Dict([['value', null], ['start', -1], ['end', -1]]); // prettier-ignore
  const start = textLength(text.slice(0, units));
  return new Dict([['value', value], ['start', start], ['end', start + textLength(value)]]); // prettier-ignore
}

/**
 * Where a group starts. Matchers that note the places of groups say so; else it is the first place of its text at or
 * behind the start of the group before it.
 */
function startOf(match: RegExpExecArray, index: number): number {
  if (index === 0 || match[index] === undefined) return match.index;
  const noted = match.indices?.[index]?.[0];
  if (noted !== undefined) return noted;
  const offset = startOf(match, index - 1) - match.index;
  const found = match[0].indexOf(match[index], offset);
  return match.index + (found < 0 ? match[0].indexOf(match[index]) : found);
}

/** JavaScript tells the text of a named group but not its number. */
function named(match: RegExpExecArray, name: string, groups: readonly Dict[]): Dict {
  const value = match.groups?.[name];
  const place = match.indices?.groups?.[name]?.[0];
  const number = match.findIndex(
    (group, index) => index > 0 && group === value && (place === undefined || startOf(match, index) === place),
  );
  return groups[number] as Dict;
}
