import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { paths, type Config } from '@switchyard/config';
import { ArchiveError, type ArchivedFile, type TransferPart } from '@switchyard/storage/transfer';
import { configuredPasswordFile } from './user-run';

/** A directory or a file of the system that is exported. */
interface Place {
  /** Its name in the archive. */
  readonly name: string;
  readonly path: string;
  readonly part: TransferPart;
}

const RECORD_KEY = 'secrets/record_keys.json';
const DATASTORE_KEY = 'secrets/datastore_key.json';
export const KEY_FILES = { records: RECORD_KEY, datastore: DATASTORE_KEY } as const;
const PASSWORDS = 'secrets/htpasswd';
/** Python writes it again. */
const LEFT_OUT = ['__pycache__'];
const PERMISSIONS = 0o777;
const OWNER_ONLY = 0o600;

const directoriesOf = (config: Config): Place[] => {
  const { packs, configs, roles } = paths(config);
  return [
    { name: 'packs', path: packs, part: 'content' },
    { name: 'configs', path: configs, part: 'content' },
    { name: 'rbac', path: roles, part: 'users' },
  ];
};

function secretFilesOf(config: Config): Omit<Place, 'part'>[] {
  const { recordKey, datastoreKey } = paths(config);
  const passwords = configuredPasswordFile(config);
  return [
    { name: RECORD_KEY, path: recordKey },
    { name: DATASTORE_KEY, path: datastoreKey },
    ...(passwords === undefined ? [] : [{ name: PASSWORDS, path: passwords }]),
  ];
}

/** The files of some parts of a system. @param note receives a sentence about each one that is left out */
export function* systemFiles(
  config: Config,
  parts: readonly TransferPart[],
  withSecrets: boolean,
  note: (text: string) => void,
): Generator<ArchivedFile, void, undefined> {
  for (const { name, path: root, part } of directoriesOf(config)) {
    if (!parts.includes(part) || !existsSync(root)) continue;
    for (const path of filesBelow(root)) {
      const stats = lstatSync(path);
      const file = { name: `${name}/${relative(root, path)}`, mode: stats.mode & PERMISSIONS };
      if (stats.isFile()) yield { ...file, content: readFileSync(path) };
      else if (stats.isSymbolicLink() && isBelow(root, resolve(dirname(path), readlinkSync(path))))
        yield { ...file, content: { link: readlinkSync(path) } };
      else note(`Left out: ${path} is neither a file nor a link within ${root}`);
    }
  }
  if (!withSecrets) return;
  for (const { name, path } of secretFilesOf(config))
    if (existsSync(path)) yield { name, mode: OWNER_ONLY, content: readFileSync(path) };
}

function* filesBelow(root: string): Generator<string, void, undefined> {
  const waiting = [root];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop())
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (LEFT_OUT.includes(entry.name)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else yield path;
    }
}

const isBelow = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith('../') && !way.startsWith('/');
};

/**
 * Refuses files whose path leads through a link of the same archive: they could be written outside of the system. Exports contain no such files.
 * @param paths those of all files, links among them
 * @throws ArchiveError
 */
export function refuseFilesBehindLinks(paths: readonly string[], links: ReadonlySet<string>): void {
  const isBehindLink = (path: string): boolean => {
    for (let above = dirname(path); above !== dirname(above); above = dirname(above)) if (links.has(above)) return true;
    return false;
  };
  const behind = links.size === 0 ? undefined : paths.find(isBehindLink);
  if (behind !== undefined) throw new ArchiveError(`The archive has an invalid file: ${behind} is behind a link.`);
}

/** Writes the files of an archive into a system. */
export interface FileTarget {
  /** The path of a file; undefined if it is a key file or not of a chosen part. @throws ArchiveError if it is outside of the system */
  pathOf(file: ArchivedFile): string | undefined;
  /** Whether it would overwrite an existing file with other content. */
  isTaken(file: ArchivedFile): boolean;
  write(file: ArchivedFile): void;
}

export function fileTarget(config: Config, parts: readonly TransferPart[]): FileTarget {
  const directories = directoriesOf(config);
  const passwords = parts.includes('users') ? configuredPasswordFile(config) : undefined;
  const pathOf = ({ name, content }: ArchivedFile): string | undefined => {
    if (name === RECORD_KEY || name === DATASTORE_KEY) return undefined;
    if (name === PASSWORDS) return passwords;
    const place = directories.find((each) => name.startsWith(`${each.name}/`));
    const path = place && join(place.path, name.slice(place.name.length + 1));
    const end = path && !Buffer.isBuffer(content) ? resolve(dirname(path), content.link) : path;
    if (!place || !path || !end || !isBelow(place.path, path) || !isBelow(place.path, end))
      throw new ArchiveError(`The archive has an invalid file: ${name}.`);
    return parts.includes(place.part) ? path : undefined;
  };
  return {
    pathOf,
    isTaken(file) {
      const path = pathOf(file);
      const stats = path === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
      if (path === undefined || stats === undefined) return false;
      if (!Buffer.isBuffer(file.content)) return !(stats.isSymbolicLink() && readlinkSync(path) === file.content.link);
      return !(stats.isFile() && readFileSync(path).equals(file.content));
    },
    write(file) {
      const path = pathOf(file);
      if (path === undefined) return;
      if (lstatSync(path, { throwIfNoEntry: false })) return;
      mkdirSync(dirname(path), { recursive: true });
      if (Buffer.isBuffer(file.content))
        writeFileSync(path, file.content, { mode: file.mode & PERMISSIONS, flag: 'wx' });
      else symlinkSync(file.content.link, path);
    },
  };
}
