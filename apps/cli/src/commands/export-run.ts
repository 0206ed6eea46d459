import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { isFault, newId, systemClock } from '@switchyard/base';
import { paths, type Config } from '@switchyard/config';
import type { Connection } from '@switchyard/storage';
import { copyStoreFiles, openEmbedded } from '@switchyard/storage/embedded';
import {
  ARCHIVE_FORMAT,
  createExportArchive,
  exportRecords,
  schemaOf,
  storeCollections,
  type ArchiveHead,
  type ReasonLeftOut,
} from '@switchyard/storage/transfer';
import { CommandError, exitCodes } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { serviceConfig } from '../settings/service-config';
import { systemFiles } from './archived-files';
import { connectAlone } from './doctor-store';
import { showArchive } from './show-archive';
import { chosenParts, type ExportCommandOptions } from './transfer-options';

/** Writes an archive of the system. */
export async function exportArchive(
  path: string,
  options: ExportCommandOptions,
  context: CommandContext,
): Promise<void> {
  const parts = await chosenParts(options);
  const config = serviceConfig(options, context.terminal);
  const printer = context.printer(options);
  const endedBefore = systemClock().nowMicros();
  const store = await openForExport(config);
  try {
    const collections = storeCollections(store.connection);
    const schema = await schemaOf(collections.meta);
    const head: ArchiveHead = {
      ...{ format: ARCHIVE_FORMAT, id: newId(), version: context.version, schema },
      ...{ created: new Date().toISOString(), parts },
      source: { driver: config.storage.driver, host: hostname() },
    };
    const archive = await createExportArchive(path, head);
    try {
      for (const file of systemFiles(config, parts, options.withSecrets ?? false, printer.note))
        await archive.file(file);
      const left = leftOutRecords();
      for await (const { collection, record } of exportRecords({
        ...{ collections, parts, endedBefore },
        onLeftOut: left.add,
      }))
        await archive.record(collection, record);
      const manifest = await archive.finish(left.counts());
      for (const text of left.sentences()) printer.note(text);
      if (left.hasUnreadable()) context.exitCode = exitCodes.failed.code;
      await showArchive(printer, { head, manifest });
      if (!printer.format) printer.line(`Wrote ${path}`);
    } catch (error) {
      await archive.abandon();
      throw error;
    }
  } finally {
    await store.close();
  }
}

const A_DAY_SECONDS = 86_400;

/** The store, or a copy of an embedded store that another process uses. */
async function openForExport(config: Config): Promise<{ connection: Connection; close(): Promise<void> }> {
  const where = paths(config);
  const copy = `${where.store}-export`;
  try {
    const connection = await connectAlone(config, where);
    return { connection, close: () => connection.close() };
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.locked') throw error;
  }
  const open = () => openEmbedded({ directory: copy, ttlSweepSeconds: A_DAY_SECONDS });
  try {
    // Fails while another export uses the copy.
    await (await open()).close();
    await copyStoreFiles(where.store, copy);
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.locked') throw error;
    throw new CommandError(`Another export of the store is running: ${error.message}`);
  }
  const connection = await open();
  const close = async () => {
    await connection.close();
    rmSync(copy, { recursive: true, force: true });
  };
  return { connection, close };
}

const MOST_NAMED = 20;
const REASONS: Readonly<Record<ReasonLeftOut, string>> = {
  unfinished: 'have not ended',
  unreadable: 'cannot be read; see svc doctor',
};

/** Counts what is left out, and remembers some ids. */
function leftOutRecords() {
  const left = new Map<string, { collection: string; reason: ReasonLeftOut; count: number; ids: string[] }>();
  return {
    add(collection: string, id: string, reason: ReasonLeftOut) {
      const key = `${collection} ${reason}`;
      const entry = left.get(key) ?? { collection, reason, count: 0, ids: [] };
      left.set(key, entry);
      entry.count += 1;
      if (entry.ids.length < MOST_NAMED) entry.ids.push(id);
    },
    counts() {
      const counts: Record<string, number> = {};
      for (const { collection, count } of left.values()) counts[collection] = (counts[collection] ?? 0) + count;
      return counts;
    },
    hasUnreadable: () => [...left.values()].some(({ reason }) => reason === 'unreadable'),
    sentences: () =>
      [...left.values()].map(
        ({ collection, reason, count, ids }) =>
          `Left out of ${collection}: ${count} that ${REASONS[reason]} (${ids.join(', ')}${count > ids.length ? ', …' : ''})`,
      ),
  };
}
