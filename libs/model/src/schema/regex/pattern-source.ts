/** An invalid pattern; `message` is the reason. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** The text of a pattern and the position of the parser. */
export class PatternSource {
  private readonly chars: readonly string[];
  private at = 0;
  /** Characters before the first of `chars`. */
  private readonly skipped: number;
  /** Flags of the pattern: the given ones, and those at its start, as in `(?i)`; within `(?i-s:…)`, those of that group. */
  flags: ReadonlySet<string>;
  /** The numbers of named groups. */
  readonly names = new Map<string, number>();
  readonly openGroups = new Set<number>();
  groups = 0;
  /** Whether only a part of the pattern ignores case. */
  mixesCase = false;

  /** @param spellsCase prints characters that ignore case with their other cases, for patterns of which only a part does */
  constructor(
    private readonly pattern: string,
    flags: string,
    readonly spellsCase = false,
  ) {
    const inline = /^\(\?([aiLmsux]+)\)/.exec(pattern);
    this.skipped = inline?.[0].length ?? 0;
    this.chars = [...pattern.slice(this.skipped)];
    this.flags = new Set([...flags, ...(inline?.[1] ?? '')]);
  }

  /** The position of the next character, for `fail`. */
  get position(): number {
    return this.at;
  }

  get atEnd(): boolean {
    return this.at >= this.chars.length;
  }

  /** The character at the offset `ahead`, or an empty text after the end. */
  peek(ahead = 0): string {
    return this.chars[this.at + ahead] ?? '';
  }

  next(): string {
    const char = this.peek();
    this.at += 1;
    return char;
  }

  /** Skips `text` if it comes next. */
  take(text: string): boolean {
    for (let index = 0; index < text.length; index += 1) if (this.peek(index) !== text[index]) return false;
    this.at += text.length;
    return true;
  }

  /** Returns everything before `end`, and skips both. @param from the position to report if `end` is missing */
  upTo(end: string, complaint: string, from = this.at): string {
    const index = this.chars.indexOf(end, this.at);
    if (index < 0) this.fail(complaint, from);
    const text = this.chars.slice(this.at, index).join('');
    this.at = index + 1;
    return text;
  }

  takeDigits = (most: number): string => this.takeSome(/[0-9]/, most);
  takeOctal = (most: number): string => this.takeSome(/[0-7]/, most);

  /** @param from the start of the escape */
  takeHex(length: number, from: number): string {
    const digits = this.takeSome(/[0-9a-f]/i, length);
    return digits.length === length ? digits : this.fail(`incomplete escape ${this.since(from)}`, from);
  }

  /** Parses a quantifier to its bounds. A brace that is not a quantifier is a literal, as in Python. */
  takeQuantifier(): readonly [min: number, max: number] | undefined {
    if (this.take('*')) return [0, Infinity];
    if (this.take('+')) return [1, Infinity];
    if (this.take('?')) return [0, 1];
    if (this.peek() !== '{') return undefined;
    const found = /^\{(\d{0,6})(,?)(\d{0,6})\}/.exec(this.upcoming(16));
    if (!found || (found[1] === '' && found[3] === '' && found[2] === '')) return undefined;
    this.at += found[0].length;
    const min = Number(found[1] || 0);
    return [min, found[2] === '' ? min : found[3] === '' ? Infinity : Number(found[3])];
  }

  /** Parses with other flags. */
  withFlags<T>(flags: ReadonlySet<string>, parse: () => T): T {
    const outer = this.flags;
    this.mixesCase ||= outer.has('i') !== flags.has('i');
    this.flags = flags;
    const parsed = parse();
    this.flags = outer;
    return parsed;
  }

  /** With the flag `x`, blanks and comments between atoms are ignored. */
  skipVerbose(): void {
    if (!this.flags.has('x')) return;
    for (;;) {
      if (/^[ \t-\r]$/.test(this.peek())) this.at += 1;
      else if (this.peek() === '#') while (!this.atEnd && this.next() !== '\n');
      else return;
    }
  }

  /** The next characters, at most so many. */
  upcoming(most: number): string {
    return this.chars.slice(this.at, this.at + most).join('');
  }

  /** The text from a position to the current one. */
  since(from: number): string {
    return this.chars.slice(from, this.at).join('');
  }

  /** @param from the position to report */
  fail(reason: string, from = this.at): never {
    const position = this.skipped + from;
    const before = [...this.pattern].slice(0, position);
    const column = position - before.lastIndexOf('\n');
    const line = before.filter((char) => char === '\n').length + 1;
    const where = this.pattern.includes('\n') ? ` (line ${line}, column ${column})` : '';
    throw new PatternError(`${reason} at position ${position}${where}`);
  }

  private takeSome(kind: RegExp, most: number): string {
    let text = '';
    while (text.length < most && kind.test(this.peek())) text += this.next();
    return text;
  }
}
