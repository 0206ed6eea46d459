import type { Id } from '@switchyard/base';

/** The store's replacement for a record with damaged bytes. No real record has a field of this name. */
interface UnreadableRecord {
  _id: Id;
  unreadable: string;
}

/** The view of an unreadable record for users; undefined for readable ones. */
export function unreadableView(record: object): { id: Id; unreadable: string } | undefined {
  const { _id: id, unreadable } = record as Partial<UnreadableRecord>;
  return typeof unreadable === 'string' ? { id: String(id), unreadable } : undefined;
}
