import { PassThrough, pipeline, Readable, type Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export interface LimitedBytes {
  readonly bytes: Buffer;
  /** There was more, which was not read. */
  readonly truncated: boolean;
}

/**
 * Reads a body, decoded, up to a limit: what unpacks to more than the machine has must not harm it.
 * @param encodings the field `Content-Encoding`
 */
export async function readBytes(body: Readable, encodings: string, maxBytes: number): Promise<LimitedBytes> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await decodedBody(body, encodings)) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks, size).subarray(0, maxBytes), truncated: size > maxBytes };
}

/** A body in an encoding that nobody asked for is handed on as it is. */
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
    // The callback is only there for pipeline's sake: a failure comes out of the last stream, too.
    stream = pipeline(whole, decoders[name]!(first), () => undefined);
  }
  return stream;
}

/** Some servers leave the last bytes of a compressed body away; browsers do not mind either. */
const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI_FLUSH = constants.BROTLI_OPERATION_FLUSH;

const decoders: Readonly<Record<string, (first: Buffer) => Duplex>> = {
  identity: () => new PassThrough(),
  gzip: () => createGunzip(LENIENT),
  'x-gzip': () => createGunzip(LENIENT),
  // Meant is zlib's format, but bare deflate data is sent under that name as well.
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
