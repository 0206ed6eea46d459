import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isPlainObject, messageOf, MIB } from '@switchyard/base';
import { extract, type Extract } from 'tar-stream';
import type { ArchivedFile } from './archive-writer';
import { ARCHIVE_FORMAT, type ArchiveHead, type ArchiveManifest } from './manifest';

/** Some records of one collection. Numbers count up within an archive. */
export interface RecordChunk {
  readonly collection: string;
  readonly number: number;
  readonly lines: readonly string[];
}

export type ArchiveItem =
  | { readonly head: ArchiveHead }
  | { readonly chunk: RecordChunk }
  | { readonly file: ArchivedFile }
  | { readonly manifest: ArchiveManifest };

/** An archive that cannot be used, with the reason. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

type Entry = Extract extends AsyncIterable<infer E> ? E : never;

const GZIP = Buffer.from([0x1f, 0x8b]);
const RECORDS = /^records\/(\d+)\.(\w+)\.jsonl$/;
const FILES = 'files/';
/** A chunk ends with the record that makes it too large, and a record has at most 16 MiB. */
const MOST_CHUNK_BYTES = 64 * MIB;

/**
 * The contents of an archive in order. The head is the first item, and the manifest the last one.
 * @throws ArchiveError if it is damaged, incomplete, or of a later format
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveItem, void, undefined> {
  let last: ArchiveItem | undefined;
  try {
    for await (const entry of await entriesOf(path)) {
      const item = await itemOf(entry);
      if (!last && !('head' in item)) throw new ArchiveError(`${path} is not an archive of svc export.`);
      last = item;
      yield item;
    }
  } catch (error) {
    if (error instanceof ArchiveError || !isReadError(error)) throw error;
    throw new ArchiveError(`${path} is damaged or incomplete: ${messageOf(error)}`, { cause: error });
  }
  if (!last || !('manifest' in last)) throw new ArchiveError(`${path} is incomplete: its end is missing.`);
}

/** Errors of the caller, between two items, pass through. */
const READ_ERRORS: readonly unknown[] = ['Z_DATA_ERROR', 'Z_BUF_ERROR', 'ENOENT', 'EACCES', 'EISDIR', 'EIO'];

const isReadError = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  READ_ERRORS.includes((error as { code?: unknown }).code) ||
  /unexpected end of|tar header|premature close|writable stream closed/i.test(messageOf(error));

async function entriesOf(path: string): Promise<AsyncIterable<Entry>> {
  const handle = await open(path);
  const { buffer } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
  await handle.close();
  const entries = extract();
  const unzip = buffer.equals(GZIP) ? createGunzip() : new PassThrough();
  pipeline(createReadStream(path), unzip, entries as unknown as NodeJS.WritableStream, () => undefined);
  return entries;
}

async function itemOf(entry: Entry): Promise<ArchiveItem> {
  const { name, mode = 0, type, linkname, size = 0 } = entry.header;
  if (name.startsWith(FILES)) {
    const content = type === 'symlink' ? { link: String(linkname) } : undefined;
    const bytes = await bytesOf(entry as unknown as Readable);
    return { file: { name: name.slice(FILES.length), mode, content: content ?? bytes } };
  }
  if (size > MOST_CHUNK_BYTES) throw new ArchiveError(`The entry ${name} has ${size} bytes, which is too large.`);
  const text = (await bytesOf(entry as unknown as Readable)).toString();
  const [, number, collection] = RECORDS.exec(name) ?? [];
  if (collection !== undefined)
    return { chunk: { collection, number: Number(number), lines: text.split('\n').slice(0, -1) } };
  const value: unknown = JSON.parse(text);
  if (name === 'head.json' && isPlainObject(value)) return { head: knownHead(value as unknown as ArchiveHead) };
  if (name === 'manifest.json' && isPlainObject(value)) return { manifest: value as unknown as ArchiveManifest };
  throw new ArchiveError(`The entry ${name} is unknown. Use the version of the program that wrote the archive.`);
}

function knownHead(head: ArchiveHead): ArchiveHead {
  if (head.format === ARCHIVE_FORMAT) return head;
  throw new ArchiveError(
    `The archive has format ${String(head.format)}; this program supports ${ARCHIVE_FORMAT}. It was written by version ${String(head.version)}.`,
  );
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
