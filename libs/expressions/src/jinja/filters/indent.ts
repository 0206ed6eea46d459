import { splitLines } from '../methods/text-parts';

/** The lines of a text, with an empty one after a final newline. */
export const splitForIndent = (text: string): string[] => splitLines(`${text}\n`, false);

/** Puts the prefix before the lines; empty ones stay as they are unless `blank` is set. */
export const filterLines = (lines: readonly string[], prefix: string, blank: boolean): string[] =>
  lines.map((line) => (line !== '' || blank ? prefix + line : line));
