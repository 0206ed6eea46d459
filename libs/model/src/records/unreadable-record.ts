import type { Id } from '@switchyard/base';

/** What a store gives of a record whose bytes are damaged. No record has a field of this name. */
interface UnreadableRecord {
  _id: Id;
  unreadable: string;
}

/** A record that cannot be read as users see it; undefined for every other. */
export function unreadableView(record: object): { id: Id; unreadable: string } | undefined {
  const { _id: id, unreadable } = record as Partial<UnreadableRecord>;
  return typeof unreadable === 'string' ? { id: String(id), unreadable } : undefined;
}
