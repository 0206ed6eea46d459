import { StringDecoder } from 'node:string_decoder';

/** Nobody prints such a line on purpose; it is handed on in pieces. */
const LONGEST_LINE = 64 * 1024;

/** Makes whole lines of chunks: what is looked for in a text could be cut in two otherwise. */
export function createLineSplitter(take: (line: string) => void): { add(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    add(chunk) {
      const lines = (rest + decoder.write(chunk)).split(/(?<=\n)/);
      rest = '';
      for (const line of lines) {
        if (line.endsWith('\n') || line.length > LONGEST_LINE) take(line);
        else rest = line;
      }
    },
    end() {
      const last = rest + decoder.end();
      rest = '';
      if (last !== '') take(`${last}\n`);
    },
  };
}
