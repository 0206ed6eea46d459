/** No definition comes near it; script texts inside one may have some brackets that nothing closes. */
const MAX_NESTING = 500;

/** Whether a YAML text may be nested more deeply than its parser can bear; to be asked before anything is parsed. */
export const isTooDeep = (text: string): boolean => nestingOf(text) > MAX_NESTING;

/**
 * At least as deep as a YAML text is nested, from a look at its lines: brackets count wherever they stand, indentation and
 * the indicators `-`, `?` and `:` at the beginning of lines. The parser is recursive, and Node.js ends the process where a
 * regular expression is compiled on an exhausted stack, so that depth must be known before anything is parsed.
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
    // One line may be nothing but indicators: no regular expression goes over them, since it would go into itself for each.
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
