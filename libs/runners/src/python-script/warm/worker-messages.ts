/** What a warm worker says, one JSON document a line; see `python/st2common/runners/warm_worker.py`. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'unable'; readonly reason: string }
  | { readonly type: 'refused'; readonly id: number; readonly reason: string }
  | { readonly type: 'started'; readonly id: number; readonly pid: number; readonly start_time: string }
  | { readonly type: 'exited'; readonly id: number; readonly status: number };

/** What a worker has to know to fork a process; the rest is for that process alone. */
export interface RunHead {
  readonly id: number;
  /** Value of the variable by which the process is recognised. */
  readonly marker: string;
  /** Whose descriptors the streams are. */
  readonly owner: number;
  /** Standard output, standard error output, result. */
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

/** Cuts what arrives into messages. */
export class MessageReader {
  #rest = '';

  take(chunk: Buffer): FromWorker[] {
    const lines = (this.#rest + chunk.toString('utf8')).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.map((line) => JSON.parse(line) as FromWorker);
  }
}
