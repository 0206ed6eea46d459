/** Puts a text in front of each line of what comes in pieces. */
export interface LineWriter {
  write(piece: string): void;
  /** Writes what stands without an end of line. */
  flush(): void;
}

/** Lines of several writers never mix: each is written as a whole. */
export function linePrefix(write: (text: string) => void, prefix: string): LineWriter {
  let rest = '';
  return {
    write(piece) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) write(lines.map((line) => `${prefix}${line}\n`).join(''));
    },
    flush() {
      if (rest !== '') write(`${prefix}${rest}\n`);
      rest = '';
    },
  };
}
