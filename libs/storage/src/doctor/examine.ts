import type { Connection } from 'mongoose';
import { storeCollections } from '../collections';
import { missingIndexes } from '../ensure-indexes';
import { blobRepository } from '../repositories/blobs';
import { examineRecord, type Openers } from './examine-record';
import type { DoctorFinding } from './finding';
import { rawRecords } from './raw-records';
import { Survey, SURVEYED } from './survey';

/** Checks everything in the store and changes nothing. */
export async function* examineStore(
  connection: Connection,
  openers: Openers,
): AsyncGenerator<DoctorFinding, void, undefined> {
  const raw = rawRecords(connection);
  const survey = new Survey();
  const deps = { ...openers, readBlob: blobRepository(storeCollections(connection).blobs).get };
  for (const text of raw.fileProblems())
    yield { ...WHOLE, problem: 'file', collection: '', detail: `the data file is damaged: ${text}`, remedy: 'none' };
  for (const { model, layout } of inOrder(connection)) {
    const { name } = model.collection;
    let isReadable = true;
    for await (const record of raw.each(name)) {
      const { document, findings } = await examineRecord(name, record, ['_id', ...layout.needed], deps);
      isReadable &&= document !== undefined;
      yield* findings;
      yield* survey.tell(name, record, document);
    }
    yield* indexFindings(name, await missingIndexes(model as never), isReadable ? raw.strayIndexEntries(name) : []);
  }
  yield* survey.conclusions();
}

const WHOLE = { id: '', bytes: 0, keys: [] } as const;

function inOrder(connection: Connection) {
  const all = Object.values(storeCollections(connection));
  const rank = (name: string) => (SURVEYED as readonly string[]).indexOf(name);
  return all.sort((a, b) => rank(a.model.collection.name) - rank(b.model.collection.name));
}

function* indexFindings(
  collection: string,
  missing: readonly string[],
  strays: readonly string[],
): Generator<DoctorFinding, void, undefined> {
  const details = [
    ...missing.map((name) => `the index ${name} is missing`),
    ...(strays.length > 0 ? [`${strays[0]} (${strays.length} such problems)`] : []),
  ];
  for (const detail of details) yield { ...WHOLE, problem: 'index', collection, detail, remedy: 'rebuild' };
}
