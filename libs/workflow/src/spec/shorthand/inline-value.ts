export interface InlineValue {
  readonly value: unknown;
  /** The offset after the value. */
  readonly end: number;
}

const BARE = /-?\d*\.\d+|-?\d+|true|false|null/iy;

/** Reads the inline value at an offset; undefined if there is none. */
export function inlineValue(text: string, at: number): InlineValue | undefined {
  const first = text[at];
  if (first === '[') return bracketed(text, at);
  if (first === '"' || first === "'") return quoted(text, at, first);
  return bare(text, at) ?? delimited(text, at, '<%', '%>') ?? delimited(text, at, '{{', '}}');
}

function bare(text: string, at: number): InlineValue | undefined {
  BARE.lastIndex = at;
  const [word] = BARE.exec(text) ?? [];
  if (word === undefined) return undefined;
  const isWord = /^[a-z]/i.test(word);
  return { value: jsonOr(isWord ? word.toLowerCase() : word, word), end: at + word.length };
}

/** An expression, unchanged. */
function delimited(text: string, at: number, open: string, close: string): InlineValue | undefined {
  if (!text.startsWith(open, at)) return undefined;
  const end = text.indexOf(close, at + open.length);
  return end < 0 ? undefined : { value: text.slice(at, end + close.length), end: end + close.length };
}

/** A quoted text. `\"` stands for a quote; other backslashes are literal. A text that looks like a map becomes one. */
function quoted(text: string, at: number, quote: string): InlineValue | undefined {
  const end = closingQuote(text, at, quote);
  if (end < 0) return undefined;
  const inner = text.slice(at + 1, end).replaceAll(`\\${quote}`, quote);
  return { value: inner.startsWith('{') && inner.endsWith('}') ? jsonOr(inner, inner) : inner, end: end + 1 };
}

/** In a text that ends with a backslash, such as a Windows path, the quote after it is the closing one. */
function closingQuote(text: string, at: number, quote: string): number {
  const end = unescapedQuote(text, at, quote);
  return end < 0 ? text.indexOf(quote, at + 1) : end;
}

function unescapedQuote(text: string, at: number, quote: string): number {
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\\' && text[i + 1] === quote) i += 1;
    else if (text[i] === quote) return i;
  }
  return -1;
}

/** A list up to its closing bracket. Brackets in quotes do not count, unless none would close it otherwise. */
function bracketed(text: string, at: number): InlineValue | undefined {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    const char = text[i] as string;
    if (char === '"' || char === "'") {
      i = unescapedQuote(text, i, char);
      if (i < 0) break;
    } else if (char === '[') depth += 1;
    else if (char === ']') depth -= 1;
    if (depth === 0) return { value: jsonOr(text.slice(at, i + 1), text.slice(at, i + 1)), end: i + 1 };
  }
  const end = text.indexOf(']', at) + 1;
  return end === 0 ? undefined : { value: text.slice(at, end), end };
}

function jsonOr(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}
