import { join } from 'node:path';
import { PACK_FILE, type PackPlace } from '../packs/find-packs';
import { inspectPack, type PackDraft } from '../packs/inspect-pack';
import { failureOf, type ContentFailure, type FailedFile } from './content-failure';
import { parseText, readText } from './read-content-file';

/** Reads and checks a `pack.yaml`. @param files every file of the pack, for the record */
export async function loadPackFile(
  { name, directory }: PackPlace,
  files: string[],
): Promise<{ pack: PackDraft } | { failures: ContentFailure[] }> {
  const file: FailedFile = { pack: name, type: 'pack', file: join(directory, PACK_FILE) };
  const read = await readText(file);
  if ('failures' in read) return read;
  const parsed = parseText(file, read.text);
  if ('failures' in parsed) return parsed;
  const { content, yaml } = parsed;
  // A version such as 0.10 reads as a number; what counts is how it was written.
  const version = typeof content.version === 'number' ? yaml.sourceOf(['version']) : content.version;
  const given = version === undefined ? content : { ...content, version };
  const { value, issues } = inspectPack(given, { name, directory, files });
  return value ? { pack: value } : { failures: issues.map((issue) => failureOf(file, issue, yaml)) };
}
