import { isInexactNumber } from '@switchyard/base';

/**
 * Parses Python literals: `None`, `True`, `False`, numbers, quoted texts, lists, tuples (as lists, also
 * without parentheses: `1, 2`) and dictionaries with texts or numbers as keys. Numbers that would lose precision become text. Never evaluates anything. @throws Error with the position
 */
export function parsePythonLiteral(text: string): unknown {
  const reader = new LiteralReader(text);
  const value = reader.valueOrTuple();
  reader.expectEnd();
  return value;
}

const MAX_DEPTH = 100;
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['None', null],
  ['True', true],
  ['False', false],
]);
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
  '\n': '',
};
const tokens = {
  blank: /\s*/y,
  word: /[A-Za-z_]\w*/y,
  number: /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y,
  escape: /x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S]/y,
};

class LiteralReader {
  private at = 0;
  constructor(private readonly text: string) {}

  valueOrTuple(): unknown {
    const items = [this.value(0)];
    if (!this.took(',')) return items[0];
    while (this.at < this.text.length) {
      items.push(this.value(1));
      if (!this.took(',')) break;
      this.take(tokens.blank);
    }
    return items;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) this.fail('nested too deeply');
    this.take(tokens.blank);
    const char = this.text[this.at] ?? '';
    if (char === '[') return this.list(']', depth);
    if (char === '(') return this.list(')', depth);
    if (char === '{') return this.dictionary(depth);
    if (char === "'" || char === '"') return this.quoted(char);
    return this.numberOrWord();
  }

  expectEnd(): void {
    this.take(tokens.blank);
    if (this.at < this.text.length) this.fail('unexpected text');
  }

  private numberOrWord(): unknown {
    const number = this.take(tokens.number);
    if (number !== '') return isInexactNumber(number) ? number : Number(number);
    const word = this.take(tokens.word);
    if (!words.has(word)) this.fail('neither JSON nor a literal');
    return words.get(word);
  }

  private list(close: string, depth: number): unknown[] {
    const items: unknown[] = [];
    this.at += 1;
    while (!this.took(close)) {
      items.push(this.value(depth + 1));
      this.separator(close);
    }
    return items;
  }

  private dictionary(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.at += 1;
    while (!this.took('}')) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') this.fail('a key has to be a text or a number');
      if (!this.took(':')) this.fail('expected a colon');
      entries.push([String(key), this.value(depth + 1)]);
      this.separator('}');
    }
    return Object.fromEntries(entries);
  }

  /** After an element: skips a comma, or stops before the closing bracket. */
  private separator(close: string): void {
    if (this.took(',')) return;
    if (this.text[this.at] !== close) this.fail(`expected a comma or ${close}`);
  }

  private quoted(quote: string): string {
    let out = '';
    this.at += 1;
    for (;;) {
      const char = this.text[this.at] ?? this.fail('unterminated text');
      this.at += 1;
      if (char === quote) return out;
      out += char === '\\' ? this.escaped() : char;
    }
  }

  private escaped(): string {
    const found = this.take(tokens.escape) || this.fail('unterminated text');
    if (found.length > 1) {
      const code = Number.parseInt(found.slice(1), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : this.fail('bad escape');
    }
    const known = escapes[found];
    // Python keeps the backslash of an unknown escape.
    return known ?? (/['"\\]/.test(found) ? found : `\\${found}`);
  }

  private took(char: string): boolean {
    this.take(tokens.blank);
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  private take(token: RegExp): string {
    token.lastIndex = this.at;
    const found = token.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  private fail(reason: string): never {
    throw new Error(`${reason} at character ${this.at}`);
  }
}
