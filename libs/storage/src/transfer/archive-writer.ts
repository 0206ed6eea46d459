import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { MIB } from '@switchyard/base';
import { pack } from 'tar-stream';
import { Tallies, Tally, type ArchiveHead, type ArchiveManifest } from './manifest';
import { encodeRecord } from './record-line';

/** A file of the system, such as one of a pack. */
export interface ArchivedFile {
  /** Its path within the archive, below `files/`. */
  readonly name: string;
  readonly mode: number;
  /** Its bytes, or the target of a symbolic link. */
  readonly content: Buffer | { readonly link: string };
}

export interface ArchiveWriter {
  record(collection: string, record: object): Promise<void>;
  file(file: ArchivedFile): Promise<void>;
  /** Writes the manifest and gives the archive its name. */
  finish(leftOut: ArchiveManifest['left_out']): Promise<ArchiveManifest>;
  /** Removes what was written. */
  abandon(): Promise<void>;
}

/** Records are collected into entries of this size, because a tar archive has the size of an entry before its content. */
const ENTRY_BYTES = MIB;
const OWNER_ONLY = 0o600;

/** The line that stands for a file in the tally of files. */
export const fileLine = ({ name, mode, content }: ArchivedFile): string =>
  Buffer.isBuffer(content)
    ? `${name} ${mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`
    : `${name} -> ${content.link}`;

/**
 * Writes an archive that only its owner can read: a tar file, compressed unless its name ends with `.tar`. It gets its name
 * when it is complete. @throws Error if the file exists, or its directory does not
 */
export async function createExportArchive(path: string, head: ArchiveHead): Promise<ArchiveWriter> {
  if (existsSync(path)) throw new Error(`${path} exists already.`);
  if (!existsSync(dirname(path))) throw new Error(`There is no directory ${dirname(path)} for the archive.`);
  const draft = `${path}.partial`;
  await rm(draft, { force: true });
  const output = createWriteStream(draft, { mode: OWNER_ONLY, flags: 'wx' });
  await once(output, 'open');
  const tar = pack();
  const zip = path.endsWith('.tar') ? new PassThrough() : createGzip({ level: constants.Z_BEST_SPEED });
  const written = pipeline(tar, zip, output);
  // An error also ends the write that waits for it.
  written.catch(() => undefined);
  const entry = async (name: string, content: Buffer, mode = OWNER_ONLY) => {
    const sink = tar.entry({ name, size: content.length, mode, mtime: new Date(head.created) });
    const ended = new Promise<void>((resolve, reject) => sink.once('close', resolve).once('error', reject));
    sink.end(content);
    await Promise.race([ended, written]);
  };
  const json = (name: string, value: object) => entry(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
  await json('head.json', head);
  const lines = recordLines(entry);
  const files = new Tally();
  return {
    record: lines.add,
    async file(file) {
      files.add(fileLine(file));
      if (Buffer.isBuffer(file.content)) return entry(`files/${file.name}`, file.content, file.mode);
      tar.entry({ name: `files/${file.name}`, type: 'symlink', linkname: file.content.link });
    },
    async finish(leftOut) {
      await lines.flush();
      const manifest = { id: head.id, collections: lines.counts(), files: files.count, left_out: leftOut };
      await json('manifest.json', manifest);
      tar.finalize();
      await written;
      await syncedRename(draft, path);
      return manifest;
    },
    async abandon() {
      tar.destroy(new Error('The export was abandoned.'));
      await written.catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

function recordLines(entry: (name: string, content: Buffer) => Promise<void>) {
  const tallies = new Tallies();
  const open = new Map<string, { lines: string[]; bytes: number }>();
  let entries = 0;
  const flush = async (collection: string) => {
    const { lines = [] } = open.get(collection) ?? {};
    open.delete(collection);
    entries += 1;
    const number = String(entries).padStart(7, '0');
    await entry(`records/${number}.${collection}.jsonl`, Buffer.from(`${lines.join('\n')}\n`));
  };
  return {
    counts: () => tallies.counts,
    async add(collection: string, record: object) {
      const line = encodeRecord(record);
      tallies.of(collection).add(line);
      const chunk = open.get(collection) ?? { lines: [], bytes: 0 };
      open.set(collection, chunk);
      chunk.lines.push(line);
      chunk.bytes += line.length;
      if (chunk.bytes >= ENTRY_BYTES) await flush(collection);
    },
    async flush() {
      for (const collection of [...open.keys()]) await flush(collection);
    },
  };
}

/** After a power failure, the name exists only if the file is complete. */
async function syncedRename(draft: string, path: string): Promise<void> {
  for (const [each, before] of [
    [draft, () => Promise.resolve()],
    [dirname(path), () => rename(draft, path)],
  ] as const) {
    await before();
    const handle = await open(each);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
