import { join } from 'node:path';
import type { RunnerTypes } from '../actions/runner-lookup';
import type { Issue } from '../check/issue';
import type { PackPlace } from '../packs/find-packs';
import type { PackOverrides } from './overrides';
import { contentHash } from './content-hash';
import { failureOf, type ContentFailure, type FailedFile } from './content-failure';
import type { ContentRecord, Draft, Loader } from './loader';
import { parseText, readText } from './read-content-file';

export interface LoadedResource {
  draft: Draft<ContentRecord>;
  /** An override gave it another state than its file has. */
  overridden: boolean;
  /** The store already holds exactly this. */
  unchanged: boolean;
  /** Something that was found wrong later, as a failure of the file. */
  failure(issue: Issue): ContentFailure;
}

export interface ResourceSource {
  place: PackPlace;
  /** Every file of the pack, relative to it. */
  files: readonly string[];
  runners: RunnerTypes;
  overrides: PackOverrides;
  stored: readonly ContentRecord[];
}

/** Reads and checks the files of one kind in a pack. A file that is as it was when it was registered is not parsed. */
export async function loadResourceFiles(
  loader: Loader,
  source: ResourceSource,
): Promise<{ resources: LoadedResource[]; failures: ContentFailure[] }> {
  const byFile = new Map(source.stored.map((record) => [record.metadata_file, record]));
  const resources: LoadedResource[] = [];
  const failures: ContentFailure[] = [];
  for (const metadataFile of metadataFiles(loader, source.files)) {
    const loaded = await loadFile(loader, source, metadataFile, byFile.get(metadataFile));
    if ('failures' in loaded) failures.push(...loaded.failures);
    else resources.push(loaded);
  }
  const clashes = sameNames(loader, source.place, resources);
  return {
    resources: resources.filter((resource) => !clashes.has(resource)),
    failures: [...failures, ...clashes.values()],
  };
}

function metadataFiles({ folder, otherFiles }: Loader, files: readonly string[]): string[] {
  return files.filter((file) => {
    const [first, name, ...deeper] = file.split('/');
    if (first !== folder || name === undefined || deeper.length > 0) return false;
    return /\.ya?ml$/.test(name) && !otherFiles.includes(name);
  });
}

async function loadFile(
  loader: Loader,
  source: ResourceSource,
  metadataFile: string,
  stored: ContentRecord | undefined,
): Promise<LoadedResource | { failures: ContentFailure[] }> {
  const { place, runners, overrides } = source;
  const file: FailedFile = { pack: place.name, type: loader.type, file: join(place.directory, metadataFile) };
  const read = await readText(file);
  if ('failures' in read) return read;
  const hash = contentHash([place.directory, metadataFile, read.text], runners.runnerTypes);
  const state = overrides.of(loader.plural);
  const { remembers } = loader;
  if (remembers && stored?.content_hash === hash && !state)
    return { draft: stored, overridden: false, unchanged: true, failure: (issue) => failureOf(file, issue) };
  const inspected = inspectText(loader, source, file, metadataFile, read.text);
  if ('failures' in inspected) return inspected;
  const { draft, failure } = inspected;
  const enabled = state?.(draft.name) ?? draft.enabled;
  if (enabled !== draft.enabled && enabled !== undefined)
    return { draft: { ...draft, enabled }, overridden: true, unchanged: false, failure };
  // The hash stands for "as in the file", so that an overridden record goes without one.
  const noted = remembers ? { ...draft, content_hash: hash } : draft;
  return { draft: noted, overridden: false, unchanged: false, failure };
}

function inspectText(
  loader: Loader,
  { place, runners }: ResourceSource,
  file: FailedFile,
  metadataFile: string,
  text: string,
): Pick<LoadedResource, 'draft' | 'failure'> | { failures: ContentFailure[] } {
  const parsed = parseText(file, text);
  if ('failures' in parsed) return parsed;
  const filePlace = { ...runners, pack: place.name, packDirectory: place.directory, metadataFile };
  const { value, issues } = loader.inspect(withoutNulls(parsed.content), filePlace);
  const failure = (issue: Issue) => failureOf(file, issue, parsed.yaml);
  return value ? { draft: value, failure } : { failures: issues.map(failure) };
}

/** A key without a value is a key that was not given. */
const withoutNulls = (content: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));

/** Resources with a name that an earlier one has. */
function sameNames(
  loader: Loader,
  place: PackPlace,
  resources: readonly LoadedResource[],
): Map<LoadedResource, ContentFailure> {
  const first = new Map<string, string>();
  const clashes = new Map<LoadedResource, ContentFailure>();
  for (const resource of resources) {
    const { name, metadata_file: file } = resource.draft;
    const other = first.get(name);
    if (other === undefined) first.set(name, file);
    else {
      const text = `The name "${name}" is taken by "${other}"`;
      const where = { pack: place.name, type: loader.type, file: join(place.directory, file) };
      clashes.set(resource, failureOf(where, { path: ['name'], text }));
    }
  }
  return clashes;
}
