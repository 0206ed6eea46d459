import { inlineValue } from './inline-value';
import type { Assignment } from '../model';

export interface InlinePairs {
  readonly pairs: readonly Assignment[];
  /** What is neither a pair nor a separator, in order. */
  readonly rest: readonly string[];
}

/** A text with so many values that begin and do not end is none of pairs; without a limit each would be read to the end. */
const MAX_UNENDED = 50;
const NAME = /[\p{L}\p{N}_]+=/uy;
const SEPARATORS = /[\s,;]+/y;

/** Reads `name=value` pairs such as `a=1, b="two" c=<% ctx().x %>`. An unquoted word is no value. */
export function inlinePairs(text: string): InlinePairs {
  const pairs: Assignment[] = [];
  const rest: string[] = [];
  let restStart = 0;
  let unended = 0;
  const endRest = (end: number): void => {
    const piece = text.slice(restStart, end).replace(/^[\s,;]+|[\s,;]+$/g, '');
    if (piece !== '') rest.push(piece);
  };
  for (let at = 0; at < text.length && unended < MAX_UNENDED;) {
    const pair = pairAt(text, at);
    if (!pair) {
      at = skipped(text, at);
      if (/^=["'[<{]/.test(text.slice(at, at + 2))) unended += 1;
      continue;
    }
    endRest(at);
    pairs.push(pair.assignment);
    at = restStart = pair.end;
  }
  endRest(text.length);
  return { pairs, rest };
}

function pairAt(text: string, at: number): { assignment: Assignment; end: number } | undefined {
  NAME.lastIndex = at;
  const [head] = NAME.exec(text) ?? [];
  if (head === undefined) return undefined;
  const found = inlineValue(text, at + head.length);
  return found && { assignment: { name: head.slice(0, -1), value: found.value }, end: found.end };
}

/** The next place at which a pair may begin: behind a word, or behind one other character. */
function skipped(text: string, at: number): number {
  for (const pattern of [/[\p{L}\p{N}_]+/uy, SEPARATORS]) {
    pattern.lastIndex = at;
    const [run] = pattern.exec(text) ?? [];
    if (run !== undefined) return at + run.length;
  }
  return at + 1;
}
