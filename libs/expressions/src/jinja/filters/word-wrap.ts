import { splitLines } from '../methods/text-parts';
import type { Run } from '../run/run';
import { chars, textLength } from '../values/sequence';

export interface WrapOptions {
  readonly width: number;
  readonly breakLongWords: boolean;
  readonly breakOnHyphens: boolean;
  readonly separator: string;
}

/** Wraps each line of a text on its own. */
export function wordWrap(text: string, options: WrapOptions, run: Run): string {
  run.budget.spend(text.length);
  return splitLines(text, false)
    .map((line) => wrapLine(line, options, run).join(options.separator))
    .join(options.separator);
}

function wrapLine(line: string, options: WrapOptions, run: Run): string[] {
  const width = Math.max(1, options.width);
  const lines: string[] = [];
  let current = '';
  for (let piece of pieces(line, options.breakOnHyphens)) {
    if (current === '' && lines.length > 0 && piece.trim() === '') continue;
    while (
      textLength(current) + textLength(piece.trimEnd()) > width ||
      (piece.trim() !== '' && textLength(current + piece) > width)
    ) {
      run.budget.produce(piece.length);
      if (textLength(piece) > width && options.breakLongWords) {
        const room = width - textLength(current) || width;
        if (textLength(current) === width) lines.push(current.trimEnd());
        const [head, tail] = cut(piece, room);
        lines.push((textLength(current) === width ? '' : current) + head);
        [current, piece] = ['', tail];
      } else if (current !== '') {
        lines.push(current.trimEnd());
        current = '';
        if (piece.trim() === '') piece = '';
      } else break;
    }
    current += piece;
  }
  return current.trim() === '' ? lines : [...lines, current.trimEnd()];
}

function cut(text: string, at: number): [string, string] {
  const characters = chars(text);
  return [characters.slice(0, at).join(''), characters.slice(at).join('')];
}

/** Words and blanks between them; a word with hyphens comes in parts. */
function pieces(line: string, hyphens: boolean): string[] {
  const parts = line.match(/\s+|\S+/g) ?? [];
  return hyphens
    ? parts.flatMap((part) => part.split(/(?<=[\p{L}\d]\p{L}-)(?=\p{L}{2})|(?<=\p{L}-)(?=\p{L}{2})/u))
    : parts;
}
