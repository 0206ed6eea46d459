import type { Assignment } from '../model';
import { inlinePairs } from './inline-pairs';

export interface InlineAction {
  readonly action: string;
  /** Undefined when the text is a reference only. */
  readonly input?: readonly Assignment[];
  /** Parts of the text that are no pairs and are lost. */
  readonly rest: readonly string[];
}

/** Splits `pack.name a=1 b="two"`. A text in which no pair is found is a reference as it stands. */
export function inlineAction(text: string): InlineAction {
  const trimmed = text.trimStart();
  const end = referenceEnd(trimmed);
  const { pairs, rest } = inlinePairs(trimmed.slice(end));
  return pairs.length === 0 ? { action: text, rest: [] } : { action: trimmed.slice(0, end), input: pairs, rest };
}

/** The first blank that is not inside an expression. */
function referenceEnd(text: string): number {
  let at = 0;
  while (at < text.length && !/\s/.test(text[at] as string)) at = expressionEnd(text, at) ?? at + 1;
  return at;
}

/** The offset behind the expression that begins here, if one does. */
function expressionEnd(text: string, at: number): number | undefined {
  const close = text.startsWith('<%', at) ? '%>' : text.startsWith('{{', at) ? '}}' : undefined;
  const end = close === undefined ? -1 : text.indexOf(close, at + 2);
  return end < 0 ? undefined : end + 2;
}
