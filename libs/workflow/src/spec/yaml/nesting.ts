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
  for (const [, blanks = '', indicators = ''] of text.matchAll(/^( *)((?:[-?:][ \t]+)*)(?=\S)/gm)) {
    while (open.length > 0 && (open.at(-1) as number) >= blanks.length) open.pop();
    const own = indicators.length === 0 ? [] : indicators.split(/[ \t]+/).slice(1);
    open.push(blanks.length, ...own.map((_, index) => blanks.length + index + 1));
    if (open.length > deepest) deepest = open.length;
  }
  return deepest;
}
