import type { Guarded } from '@switchyard/http';
import { parseReference, toUid, uidOfReference } from '@switchyard/model';
import { storedRef } from '@switchyard/triggers';

interface Identified {
  readonly uid: string;
}

/** The uid that a record with this reference or name has, whether there is one or not. */
export const uidOf = (type: string, reference: string): string => uidOfReference(type, storedRef(reference));

/**
 * The record that a path names. By reference, permissions apply whether it exists or not, and the answer does not tell. By
 * id, those of the record apply, if there is one.
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

/** The resource that the members `pack` and `name` of a body would be. A body that is invalid is refused later. */
export function guardedDraft(type: string, body: unknown): Guarded {
  const { pack = 'default', name = '' } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return { uid: toUid(type, String(pack), String(name)) };
}

/** A replacement needs its permission on the record, and another one on what it becomes under a new name. */
export async function guardedReplacement(existing: Promise<Guarded>, become: Guarded): Promise<Guarded[]> {
  const before = await existing;
  const isSame = [before.uid, ...(before.parents ?? [])].includes(become.uid);
  return isSame ? [before] : [before, become];
}
