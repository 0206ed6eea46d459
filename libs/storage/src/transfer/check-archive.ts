import { ArchiveError, readArchive } from './archive-reader';
import { fileLine, type ArchivedFile } from './archive-writer';
import { Tallies, sameCount, type ArchiveCount, type ArchiveHead, type ArchiveManifest } from './manifest';
import { decodeRecord } from './record-line';
import { keyIdOf } from '../sealing/sealer';
import { SEALED, sealedValue, type Ring } from '../sealing/sealed-places';

/** An encrypted value of an archive: the first one of its collection under its key. */
export interface SealedSample {
  readonly ring: Ring;
  readonly key: string;
  readonly collection: string;
  readonly value: string;
  /** The id or, of an item of the datastore, the name. */
  readonly record: string;
}

export interface CheckedArchive {
  readonly head: ArchiveHead;
  readonly manifest: ArchiveManifest;
  readonly samples: readonly SealedSample[];
}

const FILES = 'files';

/**
 * Reads a whole archive and compares it with its manifest.
 * @param onFile receives each file @throws ArchiveError naming what differs
 */
export async function checkArchive(
  path: string,
  onFile: (file: ArchivedFile) => void = () => undefined,
): Promise<CheckedArchive> {
  const tallies = new Tallies();
  const files = new Tallies();
  const samples = new Map<string, SealedSample>();
  let head: ArchiveHead | undefined;
  for await (const item of readArchive(path)) {
    if ('head' in item) head = item.head;
    if ('file' in item) {
      files.of(FILES).add(fileLine(item.file));
      onFile(item.file);
    }
    if ('chunk' in item)
      for (const line of item.chunk.lines) {
        tallies.of(item.chunk.collection).add(line);
        takeSamples(samples, item.chunk.collection, line);
      }
    if ('manifest' in item && head) {
      assertSame(head, item.manifest, { ...tallies.counts }, files.of(FILES).count);
      return { head, manifest: item.manifest, samples: [...samples.values()] };
    }
  }
  throw new ArchiveError(`${path} has no manifest.`);
}

function takeSamples(samples: Map<string, SealedSample>, collection: string, line: string): void {
  const places = SEALED.filter((place) => place.collection === collection && !place.blob);
  if (places.length === 0) return;
  const record = decodeRecord(line);
  for (const place of places) {
    const value = sealedValue(record, place);
    if (typeof value !== 'string') continue;
    const key = keyIdOf(value) ?? 'of StackStorm';
    const name = `${place.ring} ${key} ${collection}`;
    const shown = collection === 'key_values' ? record['name'] : record['_id'];
    if (!samples.has(name)) samples.set(name, { ring: place.ring, key, collection, value, record: String(shown) });
  }
}

function assertSame(
  { id }: ArchiveHead,
  manifest: ArchiveManifest,
  found: Readonly<Record<string, ArchiveCount>>,
  files: ArchiveCount,
): void {
  if (manifest.id !== id) throw new ArchiveError('The beginning and the end of the archive are of different exports.');
  const expected: Readonly<Record<string, ArchiveCount>> = { ...manifest.collections, [FILES]: manifest.files };
  const actual: Readonly<Record<string, ArchiveCount>> = { ...found, [FILES]: files };
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const [want, got] = [expected[name], actual[name]];
    if (want && got && sameCount(want, got)) continue;
    const shown = (count: ArchiveCount | undefined) =>
      count ? `${count.records} with SHA-256 ${count.sha256}` : 'none';
    throw new ArchiveError(`The archive is damaged in ${name}: expected ${shown(want)}, found ${shown(got)}.`);
  }
}
