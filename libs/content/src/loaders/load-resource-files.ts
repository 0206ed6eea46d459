import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunnerSchemas, RunnerSchema } from '../actions/inspect-action';
import type { Issue } from '../check/issue';
import type { PackPlace } from '../packs/find-packs';
import type { ContentRecord, Draft, Loader } from './loader';
import type { PackOverrides } from './overrides';
import { failureOf, type ContentFailure, type FailedFile, parseText, readText } from './read-content-file';

export interface LoadedResource {
  draft: Draft<ContentRecord>;
  /** An override changed `enabled`. */
  overridden: boolean;
  /** The store already has exactly this record. */
  unchanged: boolean;
  /** Failures of optional parts that were left out. */
  leftOut: readonly ContentFailure[];
  /** What is doubtful in the file. None if it was not parsed. */
  warnings: readonly ContentFailure[];
  /** Turns an issue found later into a failure of the file. */
  failure(issue: Issue): ContentFailure;
}

export interface ResourceSource {
  place: PackPlace;
  /** Every file of the pack, relative to it. */
  files: readonly string[];
  runners: RunnerSchemas;
  overrides: PackOverrides;
  /** Also read files that have not changed since they were registered. */
  readsUnchanged: boolean;
  stored: readonly ContentRecord[];
}

/** Reads and checks the files of one kind in a pack. Files unchanged since registration are not parsed. */
export async function loadResourceFiles(
  loader: Loader,
  source: ResourceSource,
): Promise<{ resources: LoadedResource[]; failures: ContentFailure[]; warnings: ContentFailure[] }> {
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
    warnings: resources.flatMap(({ warnings }) => warnings),
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
  if (remembers && !source.readsUnchanged && stored?.content_hash === hash && !state)
    return {
      draft: stored,
      overridden: false,
      unchanged: true,
      leftOut: [],
      warnings: [],
      failure: (issue) => failureOf(file, issue),
    };
  const inspected = inspectText(loader, source, file, metadataFile, read.text);
  if ('failures' in inspected) return inspected;
  const { draft, ...rest } = inspected;
  const enabled = state?.(draft.name) ?? draft.enabled;
  if (enabled !== draft.enabled && enabled !== undefined)
    return { draft: { ...draft, enabled }, overridden: true, unchanged: false, ...rest };
  // The hash means "as in the file", so an overridden record has none.
  const noted = remembers ? { ...draft, content_hash: hash } : draft;
  return { draft: noted, overridden: false, unchanged: false, ...rest };
}

function inspectText(
  loader: Loader,
  { place, runners }: ResourceSource,
  file: FailedFile,
  metadataFile: string,
  text: string,
): Pick<LoadedResource, 'draft' | 'leftOut' | 'warnings' | 'failure'> | { failures: ContentFailure[] } {
  const parsed = parseText(file, text);
  if ('failures' in parsed) return parsed;
  const filePlace = { ...runners, pack: place.name, packDirectory: place.directory, metadataFile };
  const checked = loader.inspect(withoutNulls(parsed.content), filePlace);
  const failure = (issue: Issue) => failureOf(file, issue, parsed.yaml);
  if (!checked.value) return { failures: checked.issues.map(failure) };
  const warnings = parsed.yaml.warnings.map((warning) => ({ ...file, ...warning }));
  return { draft: checked.value, leftOut: (checked.leftOut ?? []).map(failure), warnings, failure };
}

/** A key without a value counts as absent. */
const withoutNulls = (content: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));

/** Finds resources whose name an earlier one already has. */
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

/** Increase this when the checks or the resulting records change, so that files are checked again. */
const CHECKS = 2;

/**
 * A hash of everything that the record of a file depends on. While it stays the same, so does the record.
 * @param parts location and text of the file
 */
const contentHash = (parts: readonly string[], runners: readonly RunnerSchema[]): string =>
  sha256(JSON.stringify([CHECKS, runnersHash(runners), ...parts]));

const hashes = new WeakMap<readonly RunnerSchema[], string>();

function runnersHash(runners: readonly RunnerSchema[]): string {
  const known = hashes.get(runners);
  if (known !== undefined) return known;
  const hash = sha256(JSON.stringify(runners.map(({ name, runner_parameters }) => [name, runner_parameters])));
  hashes.set(runners, hash);
  return hash;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
