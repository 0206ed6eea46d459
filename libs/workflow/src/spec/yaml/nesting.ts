/** No real definition comes close, even with unclosed brackets in embedded scripts. */
const MAX_NESTING = 500;

/** Whether a YAML text may be nested too deeply for its parser. Call before parsing. */
export const isTooDeep = (text: string): boolean => nestingOf(text) > MAX_NESTING;

/**
 * An upper bound of the nesting of a YAML text, estimated from its lines: brackets anywhere, indentation, and the
 * indicators `-`, `?` and `:` at the start of lines count. The parser is recursive, and Node.js aborts the process when
 * a regular expression is compiled on an exhausted stack, so the depth must be known before parsing.
 */
function nestingOf(text: string): number {
  return brackets(text) + indentation(text);
}

function brackets(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') depth += 1;
    else if (depth > 0) depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

function indentation(text: string): number {
  const open: number[] = [];
  let deepest = 0;
  for (const line of text.split(LINE_ENDS)) {
    const first = pastBlanks(line, 0);
    if (first === line.length) continue;
    while (open.length > 0 && (open.at(-1) as number) >= first) open.pop();
    open.push(first);
    // A line may consist of indicators only. No regular expression here, as it would recurse for each of them.
    for (let at = first; isIndicator(line, at) && open.length <= MAX_NESTING; at = pastBlanks(line, at + 1)) {
      open.push((open.at(-1) as number) + 1);
    }
    if (open.length > deepest) deepest = open.length;
  }
  return deepest;
}

const LINE_ENDS = /[\n\r\u2028\u2029]/;

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

function pastBlanks(line: string, from: number): number {
  let at = from;
  while (isBlank(line[at])) at += 1;
  return at;
}

const isIndicator = (line: string, at: number): boolean =>
  (line[at] === '-' || line[at] === '?' || line[at] === ':') && isBlank(line[at + 1]);
