/** A command and the `key=value` pairs after it. */
export interface CommandParts {
  readonly text: string;
  readonly pairs: Readonly<Record<string, string>>;
}

/** Splits the `key=value` pairs off the end of a command. A value is one word, or is in quotes (removed) or braces. */
export function cutTrailingPairs(command: string): CommandParts {
  const start = command.includes('=') ? startOfPairs(command) : command.length;
  const pairs = readPairs(command.slice(start));
  return pairs.length === 0
    ? { text: command, pairs: {} }
    : { text: command.slice(0, start), pairs: Object.fromEntries(pairs) };
}

/**
 * The first position after which there are only pairs. A quoted value may end at any later quote, so a backtracking matcher
 * could take forever; working from the end visits each position once.
 */
function startOfPairs(text: string): number {
  const places = new Places(text);
  let start = text.length;
  for (let at = text.length - 1; at >= 0; at -= 1) if (places.add(at)) start = at;
  return places.isPair(0) ? 0 : start;
}

const closers = { '"': '"', "'": "'", '{': '}' } as const;

/** What is known about positions in a text, from its end back to the last one added. */
class Places {
  /** Whether only blanks and pairs follow from this position, which must be at a blank or the end. */
  private readonly rest: boolean[] = [];
  /** Whether a closing quote or brace is here or later, with only pairs after it. */
  private readonly closes = { '"': [] as boolean[], "'": [] as boolean[], '}': [] as boolean[] };

  constructor(private readonly text: string) {
    this.rest[text.length] = true;
  }

  /** @returns whether pairs may start at the position */
  add(at: number): boolean {
    const sign = this.text[at];
    const ahead = this.rest[at + 1] === true;
    for (const close of ['"', "'", '}'] as const) {
      this.closes[close][at] = this.closes[close][at + 1] === true || (sign === close && ahead);
    }
    const inRun = at + 1 === this.text.length || isBlank(this.text[at + 1]);
    this.rest[at] = isBlank(sign) && (inRun ? ahead : this.isPair(at + 1));
    return this.rest[at] === true;
  }

  /** Whether a pair starts at the start of a word, and only pairs follow it. */
  isPair(word: number): boolean {
    const end = this.skip(word, false);
    for (let at = word + 1; at < end; at += 1) if (this.text[at] === '=' && this.isValue(at + 1, end)) return true;
    const sign = this.skip(end, true);
    return end > word && this.text[sign] === '=' && this.isValue(sign + 1, this.skip(sign + 1, false));
  }

  /** @param end the end of the word in which the value starts */
  private isValue(at: number, end: number): boolean {
    const open = this.text[at];
    if (open === '"' || open === "'" || open === '{') {
      if (this.closes[closers[open]][at + 2] === true) return true;
      if (open !== '{' && this.text[at + 1] === open && this.rest[at + 2] === true) return true;
    }
    return end > at && this.rest[end] === true;
  }

  /** The end of the blanks, or of the word, that start at `from`. */
  private skip(from: number, blanks: boolean): number {
    let at = from;
    while (at < this.text.length && isBlank(this.text[at]) === blanks) at += 1;
    return at;
  }
}

const isBlank = (char: string | undefined): boolean => char !== undefined && /\s/.test(char);

/** Not guarded: at this point there are only pairs, so each match is found immediately. */
const PAIR = /(?:^|\s+)(\S+?)\s*=(?:""|''|"(.+?)"|'(.+?)'|(\{.+?\})|(\S+))/gsu;

const readPairs = (text: string): [key: string, value: string][] =>
  [...text.matchAll(PAIR)].map(([, key = '', ...values]) => [key, values.join('')]);
