import type { AuditHead, AuditRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { atLeast, atMost, type Filter, type RecordPage } from '../filter';

/** The audit trail. Records are added and never changed; retention removes old ones. */
export interface AuditRepository {
  /** Adds records that continue the chain of one writer. */
  append(records: readonly AuditRecord[]): Promise<void>;
  /** Adds records of which some may have been added already. */
  appendAgain(records: readonly AuditRecord[]): Promise<void>;
  get(id: string): Promise<AuditRecord | undefined>;
  each(page?: RecordPage<AuditRecord>): AsyncIterable<AuditRecord>;
  count(filter?: Filter<AuditRecord>): Promise<number>;
  /** All records by writer and sequence. */
  chains(): AsyncIterable<AuditRecord>;
  /** The last records of the writers that have written since a time, in microseconds. */
  headsSince(time: number): Promise<AuditHead[]>;
  writers(filter?: Filter<AuditRecord>): Promise<string[]>;
  /** Removes the records of a writer up to one of them. @returns how many */
  removeUpTo(last: Pick<AuditHead, 'writer' | 'sequence'>): Promise<number>;
}

export const auditRepository = (records: Collection<AuditRecord>): AuditRepository => ({
  append: (added) => records.insertMany(added),
  async appendAgain(added) {
    for (const record of added) await records.put(record);
  },
  get: (id) => records.get(id),
  each: (page) => records.each(page),
  count: (filter) => records.count(filter),
  chains: () => records.each({ sort: { writer: 1, sequence: 1 } }),
  async headsSince(time) {
    const heads: AuditHead[] = [];
    for (const writer of await records.distinct('writer', { time: atLeast(time) })) {
      const [last] = await records.list({ filter: { writer }, sort: { writer: -1, sequence: -1 }, limit: 1 });
      if (last) heads.push({ writer, sequence: last.sequence, hash: last.hash });
    }
    return heads;
  },
  writers: (filter) => records.distinct('writer', filter),
  removeUpTo: ({ writer, sequence }) => records.removeAll({ writer, sequence: atMost(sequence) }),
});
