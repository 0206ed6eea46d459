import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { KIB, MIB, newId, slices } from '@switchyard/base';
import type { BlobPointer } from '@switchyard/model';
import type { Collection } from '../collection';
import { isOneOf } from '../filter';

export interface BlobPart {
  _id: string;
  owner: string;
  part: number;
  data: Buffer;
}

/** Values that are too large for a record: compressed, in parts. */
export interface BlobRepository {
  /**
   * @param text a long one in pieces, because memory for many megabytes at a time is hardly given back to the system
   * @param id of the new blob
   */
  put(text: string | readonly string[], id?: string): Promise<BlobPointer>;
  /** @returns undefined if a part is missing */
  get(pointer: BlobPointer): Promise<string | undefined>;
  remove(pointer: Pick<BlobPointer, 'id'>): Promise<void>;
  removeAll(ids: readonly string[]): Promise<void>;
}

const PART_BYTES = 4 * MIB;
/** Three times as fast as the default level, for a few percent more bytes. */
const FAST = { level: constants.Z_BEST_SPEED, chunkSize: 64 * KIB };

export const blobRepository = (blobs: Collection<BlobPart>): BlobRepository => ({
  async put(text, owner = newId()) {
    const pieces = typeof text === 'string' ? [text] : text;
    let parts = 0;
    for await (const data of packed(pieces)) await blobs.insert({ _id: newId(), owner, part: parts++, data });
    return { id: owner, parts, bytes: pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0) };
  },
  async get({ id, parts }) {
    const found = await blobs.list({ filter: { owner: id }, sort: { part: 1 } });
    if (found.length !== parts) return undefined;
    // The server driver returns a BSON Binary, whose bytes are in `buffer`.
    return unpacked(found.map(({ data }) => (Buffer.isBuffer(data) ? data : (data as { buffer: Uint8Array }).buffer)));
  },
  async remove({ id }) {
    await blobs.removeAll({ owner: id });
  },
  async removeAll(ids) {
    await blobs.removeAll({ owner: isOneOf(ids) });
  },
});

/** The compressed text in parts. */
async function* packed(pieces: readonly string[]): AsyncGenerator<Buffer> {
  const packer = createGzip(FAST);
  // An error reaches the loop as well.
  pipeline(Readable.from(pieces), packer, () => undefined);
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of packer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(chunks);
    [chunks, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(chunks);
}

/** The text of all parts. Other work gets its turn between two pieces of it. */
async function unpacked(parts: readonly Uint8Array[]): Promise<string> {
  const turn = slices();
  const unpacker = createGunzip({ chunkSize: FAST.chunkSize }).setEncoding('utf8');
  // An error reaches the loop as well.
  pipeline(Readable.from(parts), unpacker, () => undefined);
  const pieces: string[] = [];
  for await (const piece of unpacker as AsyncIterable<string>) {
    pieces.push(piece);
    await turn.next();
  }
  return pieces.join('');
}
