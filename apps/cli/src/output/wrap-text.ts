import stringWidth from 'string-width';

/** Columns that a text takes: wide characters and emoji count as two, combining marks as none. */
export const textWidth = (text: string): number => (/^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text));

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Lines of at most `width` columns. Breaks at blanks; a word that is too long is cut, never shortened. */
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
  // Indentation is part of the first word, so that it stays.
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
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && textWidth(piece + segment) > width) {
      // Names are better cut behind their dots and dashes.
      const [, head = piece, tail = ''] = /^(.*[._/-])([^._/-]*)$/s.exec(piece) ?? [];
      pieces.push(head);
      piece = tail;
    }
    piece += segment;
  }
  return [...pieces, piece];
}
