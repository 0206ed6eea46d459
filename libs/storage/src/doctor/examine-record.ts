import { defaultDataLimits, DEEPEST_RESULT, isFault, JsonScan, messageOf } from '@switchyard/base';
import type { BlobPointer } from '@switchyard/model';
import { SEALED, sealedValue } from '../sealing/sealed-places';
import { isDamaged, isShallow, MAX_NESTING, readDocument } from '../bson/read-document';
import { deepFields, salvage } from '../bson/mend-bytes';
import type { DoctorFinding, DoctorProblem, Remedy } from './finding';
import type { RawRecord } from './raw-records';

export type ExaminedDocument = Record<string, unknown>;

/** Opens encrypted values. Both functions throw an Error with the reason if they cannot. */
export interface Openers {
  open(envelope: string): unknown;
  /** A secret value of the datastore. */
  openItem(value: string, name: string): Promise<unknown>;
}

/** What the examination of a record reads in addition to the record. */
export interface ExamineDeps extends Openers {
  /** @returns undefined if a part is missing @throws Error if its bytes are damaged */
  readBlob(pointer: BlobPointer): Promise<string | undefined>;
}

export interface Examined {
  /** Undefined when the record cannot be read. */
  readonly document: ExaminedDocument | undefined;
  readonly findings: readonly DoctorFinding[];
}

/** @param needed fields without which a record of the collection cannot be used */
export async function examineRecord(
  collection: string,
  record: RawRecord,
  needed: readonly string[],
  deps: ExamineDeps,
): Promise<Examined> {
  const found = (problem: DoctorProblem, remedy: Remedy, detail: string): DoctorFinding =>
    findingOf(collection, record, { problem, remedy, detail });
  const document = readDocument(record.bytes, () => record.id);
  if (isDamaged(document)) {
    const remedy = record.key === undefined ? 'none' : remedyFor(collection, record.bytes, needed);
    const detail = `it cannot be read: ${String(document['unreadable'])}`;
    return { document: undefined, findings: [found('unreadable', remedy, detail)] };
  }
  const findings: DoctorFinding[] = [];
  if (!isShallow(record.bytes))
    findings.push(
      found('too-deep', 'note', `${deepFields(record.bytes).join(', ')} is nested deeper than ${MAX_NESTING} levels`),
    );
  const result = collection === 'executions' ? resultProblem(document['result']) : undefined;
  if (result !== undefined) findings.push(found('bad-result', 'note', result));
  for (const text of await sealedProblems(collection, document, deps)) findings.push(found('sealed', 'none', text));
  return { document, findings };
}

export const findingOf = (
  collection: string,
  { key, id, bytes }: RawRecord,
  what: Pick<DoctorFinding, 'problem' | 'remedy' | 'detail'>,
): DoctorFinding => ({ ...what, collection, id, bytes: bytes.length, keys: key === undefined ? [] : [key] });

function remedyFor(collection: string, bytes: Buffer, needed: readonly string[]): Remedy {
  const { document, isWhole } = salvage(bytes);
  if (needed.some((field) => document[field] === undefined)) return 'remove';
  if (collection === 'executions') return 'end';
  return isWhole ? 'note' : 'remove';
}

const NEVER = Number.POSITIVE_INFINITY;
const READABLE = { ...defaultDataLimits, maxDepth: DEEPEST_RESULT, maxMembers: NEVER };

/** The reason why a result cannot be shown. */
export function resultProblem(json: unknown): string | undefined {
  if (json === undefined) return undefined;
  if (typeof json !== 'string') return 'its result is not a text';
  try {
    new JsonScan(json, READABLE).advance(json.length);
    JSON.parse(json);
    return undefined;
  } catch (error) {
    return isFault(error) ? `its result is nested deeper than ${DEEPEST_RESULT} levels` : 'its result is not JSON';
  }
}

async function sealedProblems(
  collection: string,
  document: ExaminedDocument,
  { open, openItem, readBlob }: ExamineDeps,
): Promise<string[]> {
  const problems: string[] = [];
  for (const place of SEALED.filter((each) => each.collection === collection)) {
    const value = sealedValue(document, place);
    if (value === undefined) continue;
    const attempt = async () => {
      const text = place.blob ? await readBlob(value as BlobPointer) : (value as string);
      // The survey reports missing parts of a blob.
      if (text === undefined) return;
      await (place.ring === 'datastore' ? openItem(text, String(document['name'])) : open(text));
    };
    problems.push(...(await failure(place.path.join('.'), attempt)));
  }
  return problems;
}

async function failure(field: string, attempt: () => unknown): Promise<string[]> {
  try {
    await attempt();
    return [];
  } catch (error) {
    return [`${field} cannot be decrypted: ${messageOf(error)}`];
  }
}
