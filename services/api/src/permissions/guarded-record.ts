import type { Guarded } from '@switchyard/http';
import { parseReference, toUid, uidOfReference } from '@switchyard/model';
import { storedRef } from '@switchyard/triggers';

interface Identified {
  readonly uid: string;
}

/** The uid of a record with this reference or name, whether it exists or not. */
export const uidOf = (type: string, reference: string): string => uidOfReference(type, storedRef(reference));

/**
 * The record that a path names. By reference, permissions apply whether the record exists or not, so the response does
 * not reveal that. By id, the permissions of the record apply, if there is one.
 */
export async function guardedRecord(
  type: string,
  records: { find(named: string): Promise<Identified | undefined> | Identified | undefined },
  named: string,
): Promise<Guarded> {
  if (parseReference(named)) return { uid: uidOf(type, named) };
  const record = await records.find(named);
  return { uid: toUid(type, named), parents: record ? [record.uid] : [] };
}

/** The resource that the members `pack` and `name` of a body would create. An invalid body is refused later. */
export function guardedDraft(type: string, body: unknown): Guarded {
  const { pack = 'default', name = '' } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return { uid: toUid(type, String(pack), String(name)) };
}

/** A replacement needs the permission on the record, and, if it gets a new name, on the renamed record as well. */
export async function guardedReplacement(existing: Promise<Guarded>, become: Guarded): Promise<Guarded[]> {
  const before = await existing;
  const isSame = [before.uid, ...(before.parents ?? [])].includes(become.uid);
  return isSame ? [before] : [before, become];
}
