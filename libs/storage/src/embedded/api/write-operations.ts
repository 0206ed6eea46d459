import { isDamaged } from '../../bson/read-document';
import type { Stored } from '../engine/collection-store';
import { allMatches, firstMatch, type RecordSource } from '../planner/matching';
import type { ParsedFilter } from '../query/parse-filter';
import type { SortField } from '../query/sort';
import type { Updater } from '../update/parse-update';
import { upserted } from '../update/upsert';
import type { Document } from '../values/document';

/** The outcome of a write. */
export interface WriteOutcome {
  readonly matched: number;
  readonly modified: number;
  /** The document that an upsert inserted. */
  readonly inserted?: Document;
  /** The found document, before and after. */
  readonly before?: Document;
  readonly after?: Document;
}

export interface UpdateRequest {
  readonly filter: ParsedFilter;
  readonly update: Updater;
  readonly upsert: boolean;
  readonly many: boolean;
  readonly sort?: readonly SortField[];
}

/** Finds and changes atomically. Runs inside a job of the write queue. */
export function updateMatching(source: RecordSource, request: UpdateRequest): WriteOutcome {
  const { filter, sort = [], many } = request;
  const found = many
    ? allMatches(source, { filter })
    : [firstMatch(source, { filter, sort })].filter((stored) => stored !== undefined);
  if (found.length === 0) return request.upsert ? insertMissing(source, request) : { matched: 0, modified: 0 };
  let modified = 0;
  let after = found[0]?.document as Document;
  for (const stored of found) {
    const document = updateOne(source, stored, request);
    if (document === stored.document) continue;
    modified += 1;
    after = document;
  }
  return { matched: found.length, modified, before: found[0]?.document as Document, after };
}

function updateOne({ store }: RecordSource, stored: Stored, { filter, update }: UpdateRequest): Document {
  const { document, changed } = update(readable(stored.document), { filter, inserting: false });
  if (changed?.size === 0) return stored.document;
  store.replace(stored, document, changed);
  return document;
}

/** A damaged document keeps only its id; the note with the reason is not one of its fields. */
const readable = (document: Document): Document => (isDamaged(document) ? { _id: document['_id'] } : document);

function insertMissing({ store }: RecordSource, { filter, update }: UpdateRequest): WriteOutcome {
  const inserted = upserted(filter, update);
  store.insert(inserted);
  return { matched: 0, modified: 0, inserted };
}

/** Removes the first matching document, or all of them. @returns the removed documents */
export function removeMatching(
  source: RecordSource,
  filter: ParsedFilter,
  many: boolean,
  sort: readonly SortField[] = [],
): Stored[] {
  const found = many
    ? allMatches(source, { filter })
    : [firstMatch(source, { filter, sort })].filter((stored) => stored !== undefined);
  for (const stored of found) source.store.remove(stored);
  return found;
}
