import { splitLines } from '../methods/text-parts';
import type { JinjaRendering } from '../run/run';
import { chars, textLength } from '../values/sequence';

export interface WrapOptions {
  readonly width: number;
  readonly breakLongWords: boolean;
  readonly breakOnHyphens: boolean;
  readonly separator: string;
}

/** Wraps each line of a text separately. */
export function wordWrap(text: string, options: WrapOptions, run: JinjaRendering): string {
  run.budget.spend(text.length);
  return splitLines(text, false)
    .map((line) => wrapLine(line, options, run).join(options.separator))
    .join(options.separator);
}

function wrapLine(line: string, options: WrapOptions, run: JinjaRendering): string[] {
  const width = Math.max(1, options.width);
  const rest = pieces(line, options.breakOnHyphens).reverse();
  const lines: string[] = [];
  while (rest.length > 0) {
    if (lines.length > 0 && rest.at(-1)?.trim() === '') rest.pop();
    const current = takeLine(rest, width);
    const next = rest.at(-1);
    if (next !== undefined && textLength(next) > width) {
      run.budget.produce(next.length);
      breakWord(rest, current, width, options);
    }
    if (current.at(-1)?.trim() === '') current.pop();
    if (current.length > 0) lines.push(current.join(''));
  }
  return lines;
}

/** Takes as many pieces as fit the width. */
function takeLine(rest: string[], width: number): string[] {
  const current: string[] = [];
  let room = width;
  for (let piece = rest.at(-1); piece !== undefined && textLength(piece) <= room; piece = rest.at(-1)) {
    room -= textLength(piece);
    current.push(piece);
    rest.pop();
  }
  return current;
}

/** A word longer than a line fills the rest of the line, up to a hyphen if there is one, or gets its own line. */
function breakWord(rest: string[], current: string[], width: number, options: WrapOptions): void {
  const word = rest.at(-1) ?? '';
  if (!options.breakLongWords) {
    if (current.length === 0) current.push(rest.pop() ?? '');
    return;
  }
  const room = width - textLength(current.join(''));
  const [fitting] = cut(word, room);
  const hyphen = options.breakOnHyphens ? fitting.lastIndexOf('-') : -1;
  const [head, tail] =
    hyphen > 0 && /[^-]/.test(fitting.slice(0, hyphen))
      ? [word.slice(0, hyphen + 1), word.slice(hyphen + 1)]
      : cut(word, room);
  current.push(head);
  rest[rest.length - 1] = tail;
}

function cut(text: string, at: number): [string, string] {
  const characters = chars(text);
  return [characters.slice(0, at).join(''), characters.slice(at).join('')];
}

/** Splits a line into words and blanks, and hyphenated words into parts. */
function pieces(line: string, hyphens: boolean): string[] {
  const parts = line.match(/\s+|\S+/g) ?? [];
  return hyphens
    ? parts.flatMap((part) => part.split(/(?<=[\p{L}\d]\p{L}-)(?=\p{L}{2})|(?<=\p{L}-)(?=\p{L}{2})/u))
    : parts;
}
