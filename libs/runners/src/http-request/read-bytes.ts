import { PassThrough, pipeline, Readable, type Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export interface LimitedBytes {
  readonly bytes: Buffer;
  /** True when the rest was not read. */
  readonly truncated: boolean;
}

/**
 * Reads and decodes a body up to a limit, so that a decompression bomb cannot exhaust memory.
 * @param encodings the `Content-Encoding` header
 */
export async function readResponseBytes(body: Readable, encodings: string, maxBytes: number): Promise<LimitedBytes> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await decodedBody(body, encodings)) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks, size).subarray(0, maxBytes), truncated: size > maxBytes };
}

/** A body with an unknown encoding is returned as it is. */
async function decodedBody(body: Readable, encodings: string): Promise<Readable> {
  const names = encodings
    .toLowerCase()
    .split(',')
    .flatMap((name) => name.trim() || []);
  if (names.length === 0 || names.some((name) => !(name in decoders))) return body;
  let stream = body;
  for (const name of names.reverse()) {
    const { first, whole } = await peek(stream);
    if (first === undefined) return whole;
    // pipeline requires the callback; failures also surface on the last stream.
    stream = pipeline(whole, decoders[name]!(first), () => undefined);
  }
  return stream;
}

/** Like browsers, accepts compressed bodies without their last bytes, which some servers omit. */
const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI_FLUSH = constants.BROTLI_OPERATION_FLUSH;

const decoders: Readonly<Record<string, (first: Buffer) => Duplex>> = {
  identity: () => new PassThrough(),
  gzip: () => createGunzip(LENIENT),
  'x-gzip': () => createGunzip(LENIENT),
  // The name means zlib's format, but some servers send raw deflate data.
  deflate: (first) => ((first[0]! & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT)),
  br: () => createBrotliDecompress({ flush: BROTLI_FLUSH, finishFlush: BROTLI_FLUSH }),
};

async function peek(stream: Readable): Promise<{ first: Buffer | undefined; whole: Readable }> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const next = await chunks.next();
  if (next.done === true) return { first: undefined, whole: Readable.from([]) };
  const first = next.value;
  return { first, whole: Readable.from(continued(first, chunks)) };
}

async function* continued(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}
