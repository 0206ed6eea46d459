import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { RunnerSchemas } from '../actions/inspect-action';
import { CONFIG_SCHEMA_FILE } from '../loaders/load-config';
import { checksHash, sha256 } from '../loaders/checks-hash';
import { loaders } from '../loaders/loader-table';
import { findPacks, listPackFiles, PACK_FILE, type PackPlace } from '../packs/find-packs';

/** What the records of a pack depend on, besides the files of the pack. */
export interface FingerprintPlaces extends RunnerSchemas {
  overridesDirectory?: string;
  configsDirectory?: string;
}

/**
 * Describes packs from outside: the names of their files, and the sizes and times of those that are registered. While a
 * fingerprint stays the same, registering the pack again would very likely change nothing. Reads no file.
 */
export function fingerprintOfPacks(places: FingerprintPlaces): (place: PackPlace, files: readonly string[]) => string {
  const { runnerTypes, maxPatternLength, overridesDirectory, configsDirectory } = places;
  const fixed = [checksHash(runnerTypes), maxPatternLength ?? null];
  return ({ name, directory }, files) => {
    const besides = [
      ...(overridesDirectory === undefined
        ? []
        : ['_global.yaml', `${name}.yaml`].map((file) => join(overridesDirectory, file))),
      ...(configsDirectory === undefined ? [] : [join(configsDirectory, `${name}.yaml`)]),
    ];
    const states = [
      ...files.map((file) => (isRead(file) ? [file, ...stateOf(join(directory, file))] : [file])),
      ...besides.map((file) => [file, ...stateOf(file)]),
    ];
    return sha256(JSON.stringify([...fixed, directory, states]));
  };
}

/** Folders whose files are compared whatever their name: a sensor is restarted when its code changes. */
const CODE: readonly string[] = ['sensors', 'lib'];
const FOLDERS: ReadonlySet<string> = new Set(loaders.map(({ folder }) => folder));

function isRead(file: string): boolean {
  const [folder = '', ...rest] = file.split('/');
  if (rest.length === 0) return file === PACK_FILE || file === CONFIG_SCHEMA_FILE;
  return CODE.includes(folder) || (rest.length === 1 && FOLDERS.has(folder) && /\.ya?ml$/.test(file));
}

function stateOf(path: string): readonly (number | string)[] {
  const found = statSync(path, { throwIfNoEntry: false });
  // The ctime also changes when a file is replaced and its mtime restored.
  return found ? [found.size, found.mtimeMs, found.ctimeMs] : ['none'];
}

/** Packs, divided into those that have changed since they were registered and the others. */
export interface PackChanges {
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
}

/** Compares the packs under the roots with their fingerprints in the store. */
export async function findPackChanges({
  store,
  roots,
  ...places
}: FingerprintPlaces & { store: StoreWithoutExecutions; roots: readonly string[] }): Promise<PackChanges> {
  const known = await store.packs.list({ fields: ['ref', 'fingerprint'] });
  const before = new Map(known.map(({ ref, fingerprint }) => [ref, fingerprint]));
  const fingerprintOf = fingerprintOfPacks(places);
  const changed: string[] = [];
  const unchanged: string[] = [];
  for (const place of await findPacks(roots)) {
    const isSame = before.get(place.name) === fingerprintOf(place, await listPackFiles(place.directory));
    (isSame ? unchanged : changed).push(place.name);
  }
  return { changed, unchanged };
}
