import { messageOf, type Micros } from '@switchyard/base';
import { standInDefinition } from '@switchyard/model';
import { mongo, type Connection } from 'mongoose';
import { storeCollections } from '../collections';
import { ensureIndexes } from '../ensure-indexes';
import { readDocument } from '../bson/read-document';
import { readBackup, type BackupFile } from './backup-file';
import type { DoctorFinding } from './finding';
import { mended } from './mend';
import { rawRecords, type RawChange, type RawRecords } from './raw-records';

/** The outcome of a repair. */
export type Repaired = DoctorFinding & { readonly repaired: boolean; readonly failure?: string };

export interface RepairDeps {
  readonly connection: Connection;
  readonly backup: BackupFile;
  readonly now: Micros;
}

/** The number of records that change together. */
const BATCH = 200;

/** Repairs what it can. Each record is backed up to disk before it changes. */
export async function repairFinding(deps: RepairDeps, finding: DoctorFinding): Promise<Repaired> {
  if (finding.remedy === 'none') return { ...finding, repaired: false };
  try {
    if (finding.remedy === 'rebuild') await rebuild(deps.connection, finding.collection);
    else
      for (let start = 0; start < finding.keys.length; start += BATCH)
        await repairRecords(deps, finding, finding.keys.slice(start, start + BATCH));
    return { ...finding, repaired: true };
  } catch (error) {
    return { ...finding, repaired: false, failure: messageOf(error) };
  }
}

/** Restores records to their state before a repair. @returns how many */
export async function putBack(connection: Connection, path: string): Promise<number> {
  const raw = rawRecords(connection);
  let count = 0;
  for await (const { collection, key, bson } of readBackup(path)) {
    await raw.change(collection, [{ key, bytes: Buffer.from(bson, 'base64') }]);
    count += 1;
  }
  return count;
}

async function repairRecords(
  { connection, backup, now }: RepairDeps,
  finding: DoctorFinding,
  keys: readonly string[],
): Promise<void> {
  const { collection, id, problem } = finding;
  const raw = rawRecords(connection);
  const changes: RawChange[] = [];
  for (const key of keys) {
    const bytes = await raw.get(collection, key);
    if (!bytes) continue;
    if (finding.remedy === 'stand-in') {
      await storeDefinition(
        raw,
        readDocument(bytes, () => id),
      );
      continue;
    }
    backup.add({ collection, id, key, problem, bson: bytes.toString('base64') });
    changes.push({ key, bytes: finding.remedy === 'remove' ? undefined : encoded(mended(finding, id, bytes, now)) });
  }
  backup.flush();
  await raw.change(collection, changes);
}

async function storeDefinition(raw: RawRecords, execution: Record<string, unknown>): Promise<void> {
  const definition = standInDefinition(execution as never);
  await raw.change('definitions', [{ key: raw.keyOf(definition._id), bytes: encoded(definition) }]);
}

const encoded = (document: object): Buffer => Buffer.from(mongo.BSON.serialize(document));

async function rebuild(connection: Connection, collection: string): Promise<void> {
  const found = Object.values(storeCollections(connection)).find(({ model }) => model.collection.name === collection);
  if (found) await ensureIndexes(found.model as never);
  await rawRecords(connection).rebuildIndexes(collection);
}
