import type { ContextAssignment } from '../model';
import { inlineValue } from './inline-value';

interface InlineAction {
  readonly action: string;
  /** Undefined when the text is only a reference. */
  readonly input?: readonly ContextAssignment[];
  /** Parts of the text that are not pairs and are ignored. */
  readonly rest: readonly string[];
}

/** Splits `pack.name a=1 b="two"`. A text without pairs is a reference. */
export function inlineAction(text: string): InlineAction {
  const trimmed = text.trimStart();
  const end = referenceEnd(trimmed);
  const { pairs, rest } = inlinePairs(trimmed.slice(end));
  return pairs.length === 0 ? { action: text, rest: [] } : { action: trimmed.slice(0, end), input: pairs, rest };
}

/** The first blank outside of expressions. */
function referenceEnd(text: string): number {
  let at = 0;
  while (at < text.length && !/\s/.test(text[at] as string)) at = expressionEnd(text, at) ?? at + 1;
  return at;
}

/** The offset after the expression that starts here, if any. */
function expressionEnd(text: string, at: number): number | undefined {
  const close = text.startsWith('<%', at) ? '%>' : text.startsWith('{{', at) ? '}}' : undefined;
  const end = close === undefined ? -1 : text.indexOf(close, at + 2);
  return end < 0 ? undefined : end + 2;
}

interface InlinePairs {
  readonly pairs: readonly ContextAssignment[];
  /** Anything that is neither a pair nor a separator, in order. */
  readonly rest: readonly string[];
}

/**
 * A text with more unclosed values is not taken as pairs; without a limit each one would be searched to the end of the
 * text.
 */
const MAX_UNENDED = 50;
const NAME = /[\p{L}\p{N}_]+=/uy;
const SEPARATORS = /[\s,;]+/y;

/** Reads `name=value` pairs such as `a=1, b="two" c=<% ctx().x %>`. An unquoted word is not a value. */
export function inlinePairs(text: string): InlinePairs {
  const pairs: ContextAssignment[] = [];
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

function pairAt(text: string, at: number): { assignment: ContextAssignment; end: number } | undefined {
  NAME.lastIndex = at;
  const [head] = NAME.exec(text) ?? [];
  if (head === undefined) return undefined;
  const found = inlineValue(text, at + head.length);
  return found && { assignment: { name: head.slice(0, -1), value: found.value }, end: found.end };
}

/** The next place where a pair may start: after a word, or after one other character. */
function skipped(text: string, at: number): number {
  for (const pattern of [/[\p{L}\p{N}_]+/uy, SEPARATORS]) {
    pattern.lastIndex = at;
    const [run] = pattern.exec(text) ?? [];
    if (run !== undefined) return at + run.length;
  }
  return at + 1;
}
