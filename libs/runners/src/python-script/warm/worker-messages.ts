/** Messages of a warm worker, one JSON document per line; see `python/st2common/runners/warm_worker.py`. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'unable'; readonly reason: string }
  | { readonly type: 'refused'; readonly id: number; readonly reason: string }
  | { readonly type: 'started'; readonly id: number; readonly pid: number; readonly start_time: string }
  | { readonly type: 'exited'; readonly id: number; readonly status: number };

/** What a worker needs to fork a process; the rest is for that process only. */
export interface RunHead {
  readonly id: number;
  /** Value of the variable that identifies the process. */
  readonly marker: string;
  /** Process that owns the descriptors. */
  readonly owner: number;
  /** The reading ends of the pipes for standard output, standard error output and the result. */
  readonly fds: readonly [number, number, number];
}

const LENGTHS_BYTES = 8;

export function encodeFrame(head: RunHead, document: unknown): Buffer {
  const first = Buffer.from(JSON.stringify(head));
  const second = Buffer.from(JSON.stringify(document));
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32BE(first.length, 0);
  lengths.writeUInt32BE(second.length, LENGTHS_BYTES / 2);
  return Buffer.concat([lengths, first, second]);
}

/** Splits received data into messages. */
export class MessageReader {
  #rest = '';

  take(chunk: Buffer): FromWorker[] {
    const lines = (this.#rest + chunk.toString('utf8')).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.map((line) => JSON.parse(line) as FromWorker);
  }
}
