import { programWords, type ProcessOptions } from '../process-run';
import { environmentOf } from '../start-process';

/** A line from a spawn server; see `python/spawn_server.py`. */
export type FromSpawnServer =
  | { readonly type: 'ready' }
  | { readonly type: 'pipes'; readonly readers: readonly number[] }
  | { readonly type: 'begins'; readonly id: number }
  | { readonly type: 'started'; readonly id: number; readonly pid: number; readonly startTime: string | undefined }
  | { readonly type: 'refused'; readonly id: number }
  | { readonly type: 'exited'; readonly id: number; readonly status: number };

const LENGTHS_BYTES = 8;
const NO_INPUT = Buffer.alloc(0);

/** A frame of two lengths, fields and standard input. */
function encode(fields: readonly string[], input: Buffer = NO_INPUT): Buffer {
  const text = fields.join('\0');
  const bytes = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(LENGTHS_BYTES + bytes + input.length);
  frame.writeUInt32BE(bytes, 0);
  frame.writeUInt32BE(input.length, LENGTHS_BYTES / 2);
  frame.write(text, LENGTHS_BYTES);
  input.copy(frame, LENGTHS_BYTES + bytes);
  return frame;
}

export const encodePipes = (count: number): Buffer => encode(['pipes', String(count)]);
export const encodeOpened = (): Buffer => encode(['opened']);

/** @param readers descriptors of this process: the pipes for both outputs */
export function encodeStart(id: number, readers: readonly [number, number], options: ProcessOptions): Buffer {
  const { stdin, cwd = process.cwd() } = options;
  const [file, args] = programWords(options);
  const variables: string[] = [];
  for (const [name, value] of Object.entries(environmentOf(options)))
    if (value !== undefined) variables.push(`${name}=${value}`);
  const counts = [String(args.length + 1), String(variables.length)];
  const head = [
    'start',
    String(id),
    String(readers[0]),
    String(readers[1]),
    stdin === undefined ? '0' : '1',
    cwd,
    file,
  ];
  return encode(
    [...head, ...counts, file, ...args, ...variables],
    typeof stdin === 'string' ? Buffer.from(stdin) : stdin,
  );
}

/** Splits received data into messages. */
export class SpawnMessageReader {
  #rest = '';

  take(chunk: Buffer): FromSpawnServer[] {
    const lines = (this.#rest + chunk.toString('utf8')).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.map(decode);
  }
}

/** @throws Error for anything that is not such a line */
function decode(line: string): FromSpawnServer {
  const [type, ...words] = line.split(' ');
  const [id = NaN, value = NaN] = words.map(Number);
  switch (type) {
    case 'ready':
      return { type };
    case 'pipes':
      return { type, readers: words.map(Number) };
    case 'begins':
    case 'refused':
      return { type, id };
    case 'started':
      return { type, id, pid: value, startTime: words[2] === '-' ? undefined : words[2] };
    case 'exited':
      return { type, id, status: value };
    default:
      throw new Error(`"${line}" is not a message of the spawn server.`);
  }
}
