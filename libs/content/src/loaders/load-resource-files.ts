import { join } from 'node:path';
import { slices } from '@switchyard/base';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { RunnerSchemas, RunnerSchema } from '../actions/inspect-action';
import type { Issue } from '../check/issue';
import type { PackPlace } from '../packs/find-packs';
import { checksHash, sha256 } from './checks-hash';
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
  /** Warnings about the file. Empty if it was not parsed. */
  warnings: readonly ContentFailure[];
  /** Turns an issue found later into a failure of the file. */
  failure(issue: Issue): ContentFailure;
}

export interface ResourceSource {
  store: StoreWithoutExecutions;
  place: PackPlace;
  /** Every file of the pack, relative to it. */
  files: readonly string[];
  runners: RunnerSchemas;
  overrides: PackOverrides;
  /** Also read files that have not changed since they were registered. */
  readsUnchanged: boolean;
  /** Aborts reading, with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Some of the resources of one kind in a pack. */
export interface ResourcePortion {
  resources: LoadedResource[];
  failures: ContentFailure[];
  warnings: ContentFailure[];
  /** All stored records of the kind and pack, by reference. */
  stored: ReadonlyMap<string, ContentRecord>;
}

const PORTION = 25;

/**
 * Reads and checks the files of one kind in a pack, in portions, so that a large pack need not be held as a whole. Files
 * unchanged since registration are not parsed.
 */
export async function* loadResourceFiles(
  loader: Loader,
  source: ResourceSource,
): AsyncGenerator<ResourcePortion, void, undefined> {
  const records = await loader.stored(source.store, source.place.name);
  const byFile = new Map(records.map((record) => [record.metadata_file, record]));
  const stored = new Map(records.map((record) => [record.ref, record]));
  const owners = new Map<string, string>();
  const files = metadataFiles(loader, source.files);
  const slice = slices();
  for (let first = 0; first < files.length; first += PORTION) {
    const portion: ResourcePortion = { resources: [], failures: [], warnings: [], stored };
    for (const file of files.slice(first, first + PORTION)) {
      source.signal?.throwIfAborted();
      const loaded = loadFile(loader, source, file, byFile.get(file));
      if ('failures' in loaded) portion.failures.push(...loaded.failures);
      else addResource(portion, loaded, { loader, source, owners });
      await slice.next();
    }
    yield portion;
  }
}

/** Adds a resource, unless an earlier one has its name. @param owners the file of each name */
function addResource(
  portion: ResourcePortion,
  resource: LoadedResource,
  { loader, source, owners }: { loader: Loader; source: ResourceSource; owners: Map<string, string> },
): void {
  const { name, metadata_file: metadataFile } = resource.draft;
  const owner = owners.get(name);
  portion.warnings.push(...resource.warnings);
  portion.failures.push(...resource.leftOut);
  if (owner === undefined) {
    owners.set(detached(name), metadataFile);
    portion.resources.push(resource);
    return;
  }
  const where = { pack: source.place.name, type: loader.type, file: join(source.place.directory, metadataFile) };
  portion.failures.push(failureOf(where, { path: ['name'], text: `The name "${name}" is taken by "${owner}"` }));
}

/** A copy of a text. V8 lets a part of a text refer to the whole, so a name would keep its file in memory. */
const detached = (part: string): string => Buffer.from(part, 'utf16le').toString('utf16le');

/** Hidden files are left out, such as those that editors and archives of macOS add beside the others. */
function metadataFiles({ folder, otherFiles }: Loader, files: readonly string[]): string[] {
  return files.filter((file) => {
    const [first, name, ...deeper] = file.split('/');
    if (first !== folder || name === undefined || deeper.length > 0) return false;
    return /^[^.].*\.ya?ml$/.test(name) && !otherFiles.includes(name);
  });
}

/**
 * Objects are built without spreading others: a spread costs V8 a new hidden class each time, which stays in memory until a full
 * collection.
 */
function loadFile(
  loader: Loader,
  source: ResourceSource,
  metadataFile: string,
  stored: ContentRecord | undefined,
): LoadedResource | { failures: ContentFailure[] } {
  const { place, runners, overrides } = source;
  const file: FailedFile = { pack: place.name, type: loader.type, file: join(place.directory, metadataFile) };
  const read = readText(file);
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
  const { draft, leftOut, warnings, failure } = inspected;
  const enabled = state?.(draft.name) ?? draft.enabled;
  if (enabled !== draft.enabled && enabled !== undefined)
    return { draft: { ...draft, enabled }, overridden: true, unchanged: false, leftOut, warnings, failure };
  // The hash means "as in the file", so an overridden record has none.
  if (remembers) draft.content_hash = hash;
  return { draft, overridden: false, unchanged: false, leftOut, warnings, failure };
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
  const { runnerTypes, maxPatternLength } = runners;
  const { name: pack, directory: packDirectory } = place;
  const filePlace = { runnerTypes, maxPatternLength, pack, packDirectory, metadataFile };
  const checked = loader.inspect(withoutNulls(parsed.content), filePlace);
  const failure = (issue: Issue) => failureOf(file, issue, parsed.yaml);
  if (!checked.value) return { failures: checked.issues.map(failure) };
  const warnings = parsed.yaml.warnings.map((warning) => ({ ...file, ...warning }));
  // Kinds with thousands of files have no later checks, so their texts are not kept.
  const later = loader.remembers ? failureWithoutLine(file) : failure;
  return { draft: checked.value, leftOut: (checked.leftOut ?? []).map(failure), warnings, failure: later };
}

/** A separate function, so that its result keeps nothing else in memory. */
const failureWithoutLine =
  (file: FailedFile) =>
  (issue: Issue): ContentFailure =>
    failureOf(file, issue);

/** A key without a value counts as absent. */
const withoutNulls = (content: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));

/**
 * A hash of everything that the record of a file depends on. While it stays the same, so does the record.
 * @param parts location and text of the file
 */
const contentHash = (parts: readonly string[], runners: readonly RunnerSchema[]): string =>
  sha256(JSON.stringify([checksHash(runners), ...parts]));
