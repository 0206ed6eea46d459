import { lexExpression } from './lex-expression';
import { chargeTokens, checkTokens, syntaxError, type JinjaToken } from './token-stream';

const OPENING = /\{[{%#]/g;
const RAW = /\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})/y;
const END_RAW = /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\}\n?)/g;
const END_COMMENT = /\+#\}|-#\}\s*|#\}\n?/g;
const END_BLOCK = /\+%\}|-%\}\s*|%\}\n?/y;
const END_VARIABLE = /-\}\}\s*|\}\}/y;

/**
 * Splits a template into tokens, with `trim_blocks` (drops the newline after a block) and `lstrip_blocks` (drops the
 * blanks before a block at the start of a line), and drops one newline at the very end.
 */
export function lex(text: string): JinjaToken[] {
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const tokens: JinjaToken[] = [];
  let position = 0;
  let tags = 0;
  while (position < source.length) {
    OPENING.lastIndex = position;
    const opening = OPENING.exec(source);
    const data = source.slice(position, opening?.index ?? source.length);
    if (opening === null) {
      pushData(tokens, data);
      break;
    }
    const lineStart = position === 0 || source[position - 1] === '\n';
    pushData(tokens, stripBefore(data, source, opening.index, lineStart));
    position = lexTag(source, opening.index, tokens);
    tags += 1;
    checkTokens(tags + tokens.length);
  }
  chargeTokens(tags + tokens.length);
  tokens.push({ kind: 'eof', value: null });
  return tokens;
}

function pushData(tokens: JinjaToken[], value: string): void {
  if (value !== '') tokens.push({ kind: 'data', value });
}

/** Applies the sign after an opening delimiter (`{%-`, `{%+`), or else `lstrip_blocks`, to the text before it. */
function stripBefore(data: string, source: string, at: number, lineStart: boolean): string {
  const sign = source[at + 2];
  if (sign === '-') return data.trimEnd();
  if (sign === '+' || source[at + 1] === '{') return data;
  const lastLine = data.lastIndexOf('\n') + 1;
  return (lastLine > 0 || lineStart) && data.slice(lastLine).trim() === '' ? data.slice(0, lastLine) : data;
}

/** Reads one tag at `at` and returns the position after it. */
function lexTag(source: string, at: number, tokens: JinjaToken[]): number {
  const kind = source[at + 1];
  if (kind === '#') return endOf(END_COMMENT, source, at + 2, 'Missing end of comment tag');
  RAW.lastIndex = at;
  if (kind === '%' && RAW.test(source)) return lexRaw(source, RAW.lastIndex, tokens);
  const [name, end] = kind === '{' ? (['variable', END_VARIABLE] as const) : (['block', END_BLOCK] as const);
  const sign = source[at + 2] === '-' || (source[at + 2] === '+' && kind === '%') ? 1 : 0;
  tokens.push({ kind: `${name}_begin`, value: null });
  const stop = lexExpression(source, at + 2 + sign, end, tokens);
  if (stop >= source.length) return source.length;
  tokens.push({ kind: `${name}_end`, value: null });
  end.lastIndex = stop;
  end.test(source);
  return end.lastIndex;
}

function lexRaw(source: string, from: number, tokens: JinjaToken[]): number {
  END_RAW.lastIndex = from;
  const close = END_RAW.exec(source);
  if (close === null) throw syntaxError('Missing end of raw directive');
  pushData(tokens, stripBefore(source.slice(from, close.index), source, close.index, false));
  return END_RAW.lastIndex;
}

function endOf(pattern: RegExp, source: string, from: number, missing: string): number {
  pattern.lastIndex = from;
  if (!pattern.test(source)) throw syntaxError(missing);
  return pattern.lastIndex;
}
