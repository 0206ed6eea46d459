import type StringWidth from 'string-width';

/** The width of a text in the terminal. Wide characters and emoji count as two, combining marks as zero. */
export const textWidth = (text: string): number => (/^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth()(text));

/** Loaded when it is first needed: its patterns for emoji take long to compile. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would make every output asynchronous
const stringWidth = (): typeof StringWidth => require('string-width') as typeof StringWidth;

/** Created on first use, because loading its data takes 20 ms. */
let segmenter: Intl.Segmenter | undefined;
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** Lines of at most `width` columns. Breaks at spaces. Splits words that are too long, but drops nothing. */
export function wrapText(text: string, width: number): string[] {
  return text
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  // Indentation counts as part of the first word, so that it is kept.
  for (const word of line.match(/^\s*\S+|\s+|\S+/g) ?? []) {
    if (textWidth(current + word) <= width) {
      current += word;
      continue;
    }
    if (/^\s+$/.test(word)) continue;
    if (current.trim() !== '') lines.push(current.trimEnd());
    const pieces = cut(word, width);
    current = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return current.trim() === '' && lines.length ? lines : [...lines, current.trimEnd()];
}

function cut(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemes().segment(word)) {
    if (piece !== '' && textWidth(piece + segment) > width) {
      // Prefers to cut names after dots and dashes.
      const [, head = piece, tail = ''] = /^(.*[._/-])([^._/-]*)$/s.exec(piece) ?? [];
      pieces.push(head);
      piece = tail;
    }
    piece += segment;
  }
  return [...pieces, piece];
}
