import type { JinjaRendering } from '../run/run';
import { JinjaError } from '../values/jinja-error';
import { intArgument } from '../values/plain';
import { chars } from '../values/sequence';
import { jinjaTypeName } from '../values/collections';

/** Python's `split` and `rsplit`: without a separator, splits at runs of white space and drops empty parts. */
export function splitJinjaText(text: string, separator: unknown, max: unknown, fromEnd = false): string[] {
  const limit = intArgument(max, 'maxsplit');
  if (separator === null) return splitBlanks(text, limit, fromEnd);
  if (typeof separator !== 'string')
    throw new JinjaError('TypeError', `must be str or None, not ${jinjaTypeName(separator)}`);
  if (separator === '') throw new JinjaError('ValueError', 'empty separator');
  const parts = text.split(separator);
  if (limit < 0 || parts.length <= limit + 1) return parts;
  const cut = parts.length - limit;
  return fromEnd
    ? [parts.slice(0, cut).join(separator), ...parts.slice(cut)]
    : [...parts.slice(0, limit), parts.slice(limit).join(separator)];
}

function splitBlanks(text: string, limit: number, fromEnd: boolean): string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (limit < 0) return trimmed.split(/\s+/);
  if (limit === 0) return [fromEnd ? text.trimEnd() : text.trimStart()];
  const words = [...trimmed.matchAll(/\S+/g)];
  if (words.length <= limit + 1) return words.map(([word]) => word);
  if (!fromEnd) {
    const rest = text.trimStart().slice(words[limit]?.index ?? 0);
    return [...words.slice(0, limit).map(([word]) => word), rest];
  }
  const first = words[words.length - limit - 1];
  const head =
    text.slice(0, text.length - text.trimStart().length) +
    trimmed.slice(0, (first?.index ?? 0) + (first?.[0].length ?? 0));
  return [head, ...words.slice(-limit).map(([word]) => word)];
}

export function splitLines(text: string, keepEnds: boolean): string[] {
  const lines = text.match(/[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])|[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+$/g) ?? []; // oxfmt-ignore
  return keepEnds ? lines : lines.map((line) => line.replace(/(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])$/, ''));
}

/** Strips the given characters (default: white space) from the ends. */
export function stripText(text: string, set: unknown, where: 'both' | 'start' | 'end'): string {
  if (set === null) return where === 'both' ? text.trim() : where === 'start' ? text.trimStart() : text.trimEnd();
  if (typeof set !== 'string')
    throw new JinjaError('TypeError', `strip arg must be None or str, not ${jinjaTypeName(set)}`);
  const characters = chars(text);
  const stripped = new Set(chars(set));
  let [start, end] = [0, characters.length];
  if (where !== 'end') while (start < end && stripped.has(characters[start] ?? '')) start += 1;
  if (where !== 'start') while (end > start && stripped.has(characters[end - 1] ?? '')) end -= 1;
  return characters.slice(start, end).join('');
}

/** Replaces the first `count` occurrences, or all when it is negative. */
export function replaceText(text: string, old: string, by: string, count: number, run: JinjaRendering): string {
  const parts = old === '' ? ['', ...chars(text), ''] : text.split(old);
  const places = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1);
  run.budget.produce(text.length + places * by.length);
  const head = parts.slice(0, places + 1).join(by);
  const tail = parts.slice(places + 1);
  return tail.length === 0 ? head : head + (old === '' ? '' : old) + tail.join(old);
}

export const titleText = (text: string): string =>
  text.replace(/\p{L}+/gu, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
