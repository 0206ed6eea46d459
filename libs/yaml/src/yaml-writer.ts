import { UNPRINTABLE } from './analyse-text';

interface ScalarLayout {
  /** Where further lines of the scalar begin. */
  readonly indent: number;
  /** Whether long lines are folded. */
  readonly folds: boolean;
}

const WIDTH = 80;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\xa0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** Writes YAML with the state of libyaml's emitter: the column, and what stands before it. */
export class YamlWriter {
  private readonly parts: string[] = [];
  private column = 0;
  /** Whether the last character was a blank, a line break or an indicator of a block. */
  private afterBlank = true;
  /** Whether the line has nothing but blanks and indicators such as `- `. */
  onlyIndented = true;

  get text(): string {
    return this.parts.join('');
  }

  startLine(indent: number): void {
    const fits = this.onlyIndented && (this.column < indent || (this.column === indent && this.afterBlank));
    if (!fits) this.lineBreak();
    if (this.column < indent) this.write(' '.repeat(indent - this.column));
    this.afterBlank = true;
    this.onlyIndented = true;
  }

  indicator(text: string, ofBlock = false, separate = true): void {
    if (separate && !this.afterBlank) this.write(' ');
    this.write(text);
    this.afterBlank = false;
    this.onlyIndented &&= ofBlock;
  }

  plain(text: string, layout: ScalarLayout): void {
    if (!this.afterBlank && text !== '') this.write(' ');
    for (const [part] of text.matchAll(/ +|[^ ]+/g)) {
      if (part === ' ' && this.isFull(layout)) this.startLine(layout.indent);
      else this.write(part);
    }
    this.ended();
  }

  singleQuoted(text: string, layout: ScalarLayout): void {
    this.indicator("'");
    for (const { 0: part, index } of text.matchAll(/ +|[\n\u2028\u2029]+|[^ \n\u2028\u2029]+/g)) {
      const isInside = index > 0 && index < text.length - 1;
      if (part === ' ' && isInside && this.isFull(layout)) this.startLine(layout.indent);
      else if (/^[\n\u2028\u2029]/.test(part)) this.breaks(part, layout);
      else this.write(part.replaceAll("'", "''"));
      if (!part.startsWith(' ')) this.onlyIndented = false;
    }
    this.write("'");
    this.ended();
  }

  doubleQuoted(text: string, layout: ScalarLayout, unicode: boolean): void {
    this.indicator('"');
    for (const { 0: part, index } of text.matchAll(/ +|[^ ]+/g)) {
      const isInside = index > 0 && index < text.length - 1;
      if (part.startsWith(' ') && isInside && this.isFull(layout)) {
        this.startLine(layout.indent);
        if (part.length > 1) this.write(`\\${part.slice(1)}`);
      } else {
        this.write(part.replace(/[^ ]/gu, (char) => escaped(char, unicode)));
      }
    }
    this.write('"');
    this.ended();
  }

  /** A line break is written twice, because a single one would read as a blank. */
  private breaks(part: string, layout: ScalarLayout): void {
    this.lineBreak(part.startsWith('\n') ? `\n${part}` : part);
    this.onlyIndented = true;
    this.startLine(layout.indent);
  }

  private ended(): void {
    this.afterBlank = false;
    this.onlyIndented = false;
  }

  private readonly isFull = ({ folds }: ScalarLayout): boolean => folds && this.column > WIDTH;

  private write(text: string): void {
    this.parts.push(text);
    this.column += text.length;
  }

  private lineBreak(breaks = '\n'): void {
    this.parts.push(breaks);
    this.column = 0;
  }
}

function escaped(char: string, unicode: boolean): string {
  const isPlain = !UNPRINTABLE.test(char) && (unicode || char <= '\x7f') && !/["\\\n\u2028\u2029]/.test(char);
  if (isPlain) return char;
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) return `\\${short}`;
  const hex = (char.codePointAt(0) as number).toString(16).toUpperCase();
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
