import { textLength } from '../../jinja/values/sequence';
import { Dict } from '../values/dict';

/** A match as selectors see it: `$` or `$1` is all of it, `$2` its first group, and groups with names are variables. */
export interface MatchRecords {
  readonly groups: readonly Dict[];
  readonly names: ReadonlyMap<string, Dict>;
}

/** @param match with the places of its groups */
export function matchRecords(match: RegExpExecArray, text: string): MatchRecords {
  const { indices } = match;
  const groups = Array.from(match, (value: string | undefined, index) => record(value, indices?.[index], text));
  const named = Object.entries<string | undefined>(match.groups ?? {});
  const names = new Map(named.map(([name, value]) => [name, record(value, indices?.groups?.[name], text)]));
  return { groups, names };
}

/** @param place in UTF-16 units */
function record(value: string | undefined, place: readonly number[] | undefined, text: string): Dict {
  if (value === undefined) return new Dict([['value', null], ['start', -1], ['end', -1]]); // prettier-ignore
  const start = textLength(text.slice(0, place?.[0]));
  return new Dict([['value', value], ['start', start], ['end', start + textLength(value)]]); // prettier-ignore
}
