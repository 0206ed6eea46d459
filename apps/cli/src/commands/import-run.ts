import { paths, type Config } from '@switchyard/config';
import { connectMongo, type Connection } from '@switchyard/storage';
import { livingProcesses } from '@switchyard/storage/doctor';
import { openEmbedded } from '@switchyard/storage/embedded';
import {
  assertKnownSchema,
  checkArchive,
  collectionsOf,
  importRecords,
  occupied,
  storeCollections,
  type CheckedArchive,
  type TransferPart,
} from '@switchyard/storage/transfer';
import { CommandError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { serviceConfig } from '../settings/service-config';
import { fileTarget, KEY_FILES, refuseFilesBehindLinks, type FileTarget } from './archived-files';
import { provideKeys } from './archived-keys';
import { showArchive, showImport } from './show-archive';
import { chosenParts, type ImportCommandOptions } from './transfer-options';

/** `svc import --check`: compares an archive with its manifest. */
export async function checkOnly(path: string, options: ImportCommandOptions, context: CommandContext): Promise<void> {
  const printer = context.printer(options);
  await showArchive(printer, await checkArchive(path));
  if (!printer.format) printer.line('The archive is complete.');
}

/** Nothing is written before the whole archive has been verified. */
export async function importArchive(
  path: string,
  options: ImportCommandOptions,
  context: CommandContext,
): Promise<void> {
  const parts = await chosenParts(options);
  const config = serviceConfig(options, context.terminal);
  const files = fileTarget(config, parts);
  const read = await readWhole(path, files);
  assertKnownSchema(read.head);
  const connection = await openTarget(config);
  try {
    await refuseOccupied(connection, read, parts, config);
    const chosen = namesOf(connection, parts);
    const samples = read.samples.filter(({ collection }) => chosen.has(collection));
    const added = await provideKeys({ config, samples, archived: read.keys, reseal: options.reseal ?? false });
    const { head } = read;
    const imported = await importRecords({ connection, path, head, parts, onFile: files.write });
    const printer = context.printer(options);
    await showImport(printer, imported);
    const wrong = imported.filter(({ isVerified }) => !isVerified).map(({ collection }) => collection);
    if (wrong.length > 0)
      throw new CommandError(`The store differs from the archive in ${wrong.join(', ')}. Import into an empty store.`);
    if (added)
      printer.note('The keys of the archive were added. Encrypt its secrets again: svc key rotate or svc-seal');
  } finally {
    await connection.close();
  }
}

interface ReadArchive extends CheckedArchive {
  /** Files that would overwrite existing files with other content. */
  readonly taken: readonly string[];
  readonly keys: ReadonlyMap<string, Buffer>;
}

async function readWhole(path: string, files: FileTarget): Promise<ReadArchive> {
  const taken: string[] = [];
  const keys = new Map<string, Buffer>();
  const places: string[] = [];
  const links = new Set<string>();
  const checked = await checkArchive(path, (file) => {
    const place = files.pathOf(file);
    if (place !== undefined) places.push(place);
    if (place !== undefined && !Buffer.isBuffer(file.content)) links.add(place);
    if (files.isTaken(file)) taken.push(place ?? file.name);
    if (Object.values<string>(KEY_FILES).includes(file.name) && Buffer.isBuffer(file.content))
      keys.set(file.name, file.content);
  });
  refuseFilesBehindLinks(places, links);
  return { ...checked, taken, keys };
}

const A_DAY_SECONDS = 86_400;

async function openTarget(config: Config): Promise<Connection> {
  if (config.storage.driver === 'mongodb') return connectMongo(config.database);
  return openEmbedded({ directory: paths(config).store, durability: 'commit', ttlSweepSeconds: A_DAY_SECONDS });
}

const MOST_NAMED = 5;

async function refuseOccupied(
  connection: Connection,
  { head, taken }: ReadArchive,
  parts: readonly TransferPart[],
  config: Config,
): Promise<void> {
  const living = await livingProcesses(connection, config.instances.lease_ms);
  if (living.length > 0) throw new CommandError(`The store is in use. Stop these first: ${living.join('; ')}.`);
  const found = Object.entries(await occupied({ connection, head, parts })).map(([name, count]) => `${name} ${count}`);
  if (found.length > 0)
    throw new CommandError(
      `The store is not empty (${found.join(', ')}). Import into an empty store. Nothing was changed.`,
    );
  if (taken.length > 0)
    throw new CommandError(
      `${taken.length} files of the archive would overwrite existing files with other content: ${taken.slice(0, MOST_NAMED).join(', ')}. Move them away. Nothing was changed.`,
    );
}

const namesOf = (connection: Connection, parts: readonly TransferPart[]): ReadonlySet<string> => {
  const collections = storeCollections(connection);
  return new Set(collectionsOf(parts).map((name) => collections[name].model.collection.name));
};
