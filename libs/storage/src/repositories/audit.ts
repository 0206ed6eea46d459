import { auditId, type AuditHead, type AuditRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { above, atLeast, atMost, isOneOf, type Filter, type RecordPage } from '../filter';

/** The first and the last record of one writer. */
export interface ChainEnds {
  readonly first: AuditRecord;
  readonly last: AuditRecord;
}

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
  /** The ends of all chains, however long they are. @param from of those whose writer has this id or a later one */
  ends(from?: string): AsyncIterable<ChainEnds>;
  /** The last records of the chains that go on after these records. */
  headsAfter(known: readonly AuditHead[]): Promise<AuditHead[]>;
  /** Removes the records of a writer up to one of them. @returns how many */
  removeUpTo(last: Pick<AuditHead, 'writer' | 'sequence'>): Promise<number>;
}

/** Chains that are looked up with one call. */
const AT_ONCE = 500;
const FORWARD = { writer: 1, sequence: 1 } as const;
const BACKWARD = { writer: -1, sequence: -1 } as const;

export function auditRepository(records: Collection<AuditRecord>): AuditRepository {
  const lastOf = async (writer: string) => (await records.list({ filter: { writer }, sort: BACKWARD, limit: 1 }))[0];

  async function* ends(from = ''): AsyncGenerator<ChainEnds> {
    for (let filter: Filter<AuditRecord> = { writer: atLeast(from) }; ;) {
      const [first] = await records.list({ filter, sort: FORWARD, limit: 1 });
      if (!first) return;
      yield { first, last: (await lastOf(first.writer)) ?? first };
      filter = { writer: above(first.writer) };
    }
  }

  /** The writers of those that have a record after this one. */
  async function continued(known: readonly AuditHead[]): Promise<string[]> {
    const ids = known.map(({ writer, sequence }) => auditId({ writer, sequence: sequence + 1 }));
    const next = await records.list({ filter: { _id: isOneOf(ids) }, fields: ['writer'] });
    return next.map(({ writer }) => writer);
  }

  return {
    append: (added) => records.insertMany(added),
    async appendAgain(added) {
      for (const record of added) await records.put(record);
    },
    get: (id) => records.get(id),
    each: (page) => records.each(page),
    count: (filter) => records.count(filter),
    chains: () => records.each({ sort: FORWARD }),
    ends,
    async headsAfter(known) {
      const heads: AuditHead[] = [];
      for (let at = 0; at < known.length; at += AT_ONCE) {
        for (const writer of await continued(known.slice(at, at + AT_ONCE))) {
          const last = await lastOf(writer);
          if (last) heads.push({ writer, sequence: last.sequence, hash: last.hash });
        }
      }
      return heads;
    },
    removeUpTo: ({ writer, sequence }) => records.removeAll({ writer, sequence: atMost(sequence) }),
  };
}
