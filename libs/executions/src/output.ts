import { StringDecoder } from 'node:string_decoder';
import { KIB, MIB, microsToIso, newId, type Clock } from '@switchyard/base';
import type { ExecutionRecord, OutputRecord } from '@switchyard/model';
import type { OutputRepository } from '@switchyard/storage';
import type { Announcer } from './announce';

/**
 * Collects the output of an execution and stores it in chunks, in order.
 *
 * 1. A chunk holds one type of output and at most 64 kB; a new type or a full chunk begins the next.
 * 2. A chunk is written 50 ms after its first byte (`delayMs`), when 64 kB are waiting, or on `flush`. With a buffer, it is written
 *    only when the buffer is full. There is one write at a time, so that the sequence in the store never has a gap that is filled
 *    later.
 * 3. `finish` writes the rest. When it returns, all output is in the store.
 * 4. An execution that is started again continues with numbers that its earlier run cannot reach, even if that run is still
 *    writing.
 */
export interface OutputWriter {
  /** The source should pause while a returned promise is pending: too much output is waiting to be stored. */
  write(type: string, chunk: Buffer | string): void | Promise<void>;
  /** Writes all waiting output. Resolves when it is in the store. */
  flush(): Promise<void>;
  finish(): Promise<void>;
}

interface OutputWriterDeps {
  output: Pick<OutputRepository, 'append'>;
  announce: Pick<Announcer, 'output'>;
  clock: Clock;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
}

const CHUNK_CHARACTERS = 64 * KIB;
const DELAY_MS = 50;
/** More chunks than a run can produce. */
const RUN_SEQUENCES = 2 ** 32;
/** Above this number of waiting bytes, writers have to wait. */
const WAITING_CHARACTERS = MIB;

export interface OutputWriterOptions {
  /** Highest sequence number that may exist already. */
  readonly before?: number;
  /** Bytes of output to collect before a write; when absent or below 1, chunks are written by time. */
  readonly bufferBytes?: number;
  /** How long the first byte of a chunk waits for others. */
  readonly delayMs?: number;
}

export function createOutputWriter(
  deps: OutputWriterDeps,
  record: ExecutionRecord,
  { before = earlierRuns(record) * RUN_SEQUENCES, bufferBytes = 0, delayMs = DELAY_MS }: OutputWriterOptions = {},
): OutputWriter {
  const { clock } = deps;
  const decoders = new Map<string, StringDecoder>();
  const waiting = new WaitingChunks(clock, record, before);
  let stopTimer: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let unwritten = 0;

  const isFull = () => (bufferBytes < 1 ? waiting.characters >= CHUNK_CHARACTERS : waiting.bytes >= bufferBytes);
  const add = (type: string, data: string) => {
    if (data === '') return;
    waiting.add(type, data);
    if (isFull()) void flush();
    else if (bufferBytes < 1) stopTimer ??= clock.after(delayMs, () => void flush());
  };
  const flush = (): Promise<void> => {
    stopTimer?.();
    stopTimer = undefined;
    const size = waiting.characters;
    const chunks = waiting.take();
    if (chunks.length === 0) return writing;
    unwritten += size;
    writing = writing
      .then(() => store(deps, chunks))
      .then(() => {
        unwritten -= size;
      });
    return writing;
  };
  return {
    write(type, chunk) {
      for (const piece of pieces(decode(decoders, type, chunk))) add(type, piece);
      return unwritten > WAITING_CHARACTERS ? writing : undefined;
    },
    flush,
    async finish() {
      for (const [type, decoder] of decoders) add(type, decoder.end());
      await flush();
    },
  };
}

/** The chunks of output that wait to be written, numbered. */
class WaitingChunks {
  characters = 0;
  bytes = 0;
  #chunks: OutputRecord[] = [];

  /** @param sequence the number before that of the first chunk */
  constructor(
    private readonly clock: Pick<Clock, 'nowMicros'>,
    private readonly record: ExecutionRecord,
    private sequence: number,
  ) {}

  add(type: string, data: string): void {
    const last = this.#chunks.at(-1);
    if (last?.output_type === type && last.data.length + data.length <= CHUNK_CHARACTERS) last.data += data;
    else this.#chunks.push(this.#chunk(type, data));
    this.characters += data.length;
    this.bytes += Buffer.byteLength(data);
  }

  take(): OutputRecord[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.characters = 0;
    this.bytes = 0;
    return chunks;
  }

  #chunk = (type: string, data: string): OutputRecord => ({
    _id: newId(),
    execution_id: this.record._id,
    sequence: ++this.sequence,
    output_type: type,
    data,
    timestamp: this.clock.nowMicros(),
    action_ref: this.record.action_ref,
    runner_ref: this.record.runner_name,
  });
}

/** More full chunks in one write would block the event loop. */
const STORED_TOGETHER = 4;

/** A failed write loses the output but does not fail the run. */
async function store({ output, announce, logger }: OutputWriterDeps, chunks: OutputRecord[]): Promise<void> {
  try {
    for (let at = 0; at < chunks.length; at += STORED_TOGETHER) {
      const some = chunks.slice(at, at + STORED_TOGETHER);
      await output.append(some);
      announce.output(some);
    }
  } catch (error) {
    logger.warn('Failed to store output of an execution.', { execution_id: chunks[0]?.execution_id, error });
  }
}

function decode(decoders: Map<string, StringDecoder>, type: string, chunk: Buffer | string): string {
  if (typeof chunk === 'string') return chunk;
  const decoder = decoders.get(type) ?? new StringDecoder('utf8');
  decoders.set(type, decoder);
  return decoder.write(chunk);
}

const earlierRuns = ({ log }: ExecutionRecord): number =>
  Math.max(0, log.filter(({ status }) => status === 'running').length - 1);

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + CHUNK_CHARACTERS;
    // Do not split a surrogate pair: the store would replace the halves.
    const piece = text.slice(start, endsWithinPair(text, end) ? end - 1 : end);
    yield piece;
    start += piece.length;
  }
}

const endsWithinPair = (text: string, end: number): boolean =>
  end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');

const STANDARD: readonly string[] = ['stdout', 'stderr'];

/** `all`, a type by name, or `other` for everything that is neither standard output nor error output. */
export function wantsOutput(wanted: string, type: string): boolean {
  if (wanted === 'all') return true;
  return wanted === 'other' ? !STANDARD.includes(type) : wanted === type;
}

/** The stored output of an execution after a sequence number, page by page. */
export async function* readOutput(
  output: Pick<OutputRepository, 'read'>,
  executionId: string,
  { type = 'all', after = 0 }: { type?: string; after?: number } = {},
): AsyncGenerator<OutputRecord> {
  for (let position = after; ;) {
    const page = await output.read(executionId, { after: position });
    for (const chunk of page) if (wantsOutput(type, chunk.output_type)) yield chunk;
    const last = page.at(-1);
    if (!last) return;
    position = last.sequence;
  }
}

/** A chunk as the stream shows it. */
export const outputView = ({
  _id,
  timestamp,
  sequence: _sequence,
  ...chunk
}: OutputRecord): Record<string, unknown> => ({
  id: _id,
  ...chunk,
  timestamp: microsToIso(timestamp),
});
