import { constants, gunzip, gzip, type ZlibOptions } from 'node:zlib';
import { promisify } from 'node:util';
import { MIB, newId } from '@switchyard/base';
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
  /** @param text may be encoded as UTF-8 already @param id of the new blob */
  put(text: string | Buffer, id?: string): Promise<BlobPointer>;
  /** @returns undefined if a part is missing */
  get(pointer: BlobPointer): Promise<string | undefined>;
  remove(pointer: Pick<BlobPointer, 'id'>): Promise<void>;
  removeAll(ids: readonly string[]): Promise<void>;
}

const PART_BYTES = 4 * MIB;
/** Three times as fast as the default level, for a few percent more bytes. */
const FAST = { level: constants.Z_BEST_SPEED };
const compress = promisify<string | Buffer, ZlibOptions, Buffer>(gzip);
const expand = promisify(gunzip);

export const blobRepository = (blobs: Collection<BlobPart>): BlobRepository => ({
  async put(text, owner = newId()) {
    const packed = await compress(text, FAST);
    const parts = Math.max(1, Math.ceil(packed.length / PART_BYTES));
    for (let part = 0; part < parts; part++) {
      const data = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      await blobs.insert({ _id: newId(), owner, part, data });
    }
    return { id: owner, parts, bytes: Buffer.byteLength(text) };
  },
  async get({ id, parts }) {
    const found = await blobs.list({ filter: { owner: id }, sort: { part: 1 } });
    if (found.length !== parts) return undefined;
    // The server driver returns a BSON Binary, whose bytes are in `buffer`.
    const bytes = found.map(({ data }) =>
      Buffer.isBuffer(data) ? data : Buffer.from((data as { buffer: Uint8Array }).buffer),
    );
    return (await expand(Buffer.concat(bytes))).toString();
  },
  async remove({ id }) {
    await blobs.removeAll({ owner: id });
  },
  async removeAll(ids) {
    await blobs.removeAll({ owner: isOneOf(ids) });
  },
});
