import { microsToIso, type Micros } from '@switchyard/base';
import { auditId, chainCheck, newestHeads, type AuditHead, type AuditRecord } from '@switchyard/model';
import { atLeast, atMost, below, type AuditRepository, type ChainEnds } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { systemEntry, type AuditTrail } from './audit-trail';
import { auditHeadOf } from './chain-writer';
import { namedHeads } from './check-trail';

export interface AuditRetention {
  readonly store: { readonly audit: Pick<AuditRepository, 'each' | 'ends' | 'removeUpTo'> };
  readonly trail: Pick<AuditTrail, 'recordOwn'>;
  readonly logger: Pick<Logger, 'error'>;
}

/**
 * Removes audit records that are older than a time.
 *
 * 1. Before anything is removed, a record of the kind `retention` names the last record that each chain loses. A check of the trail
 *    continues from there, so it finds records that were removed by hand, and a crash in between does no harm.
 * 2. That record also repeats heads from earlier such records that a check still needs, because retention removes those
 *    as well.
 * 3. A chain stays complete up to its end: everything after a record that is new enough is kept.
 * 4. The old records of a chain that was altered are evidence. They are kept.
 *
 * @returns how many were removed
 */
export async function expireAuditRecords(deps: AuditRetention, before: Micros): Promise<number> {
  const { audit } = deps.store;
  const { heads, removed } = await namedHeads(audit);
  const earlier = newestHeads(removed);
  const expired: AuditHead[] = [];
  const kept = new Set(heads.map(({ writer }) => writer));
  for await (const ends of audit.ends()) {
    const { writer } = ends.first;
    if (ends.last.time >= before) kept.add(writer);
    const last = await lastExpired(audit, ends, before);
    if (!last) continue;
    const problem = await problemUpTo(audit, last, earlier.get(writer));
    if (problem === undefined) expired.push(auditHeadOf(last));
    else {
      kept.add(writer);
      deps.logger.error('The old audit records of a writer are kept, because the trail is damaged.', {
        writer,
        ...problem,
      });
    }
  }
  if (expired.length === 0) return 0;
  const needed = [...earlier.values()].filter(({ writer }) => kept.has(writer));
  const entry = systemEntry('retention', microsToIso(before));
  const isStored = await deps.trail.recordOwn({ ...entry, heads: [...newestHeads([...needed, ...expired]).values()] });
  if (!isStored) throw new Error('could not record the point up to which audit records are removed');
  let count = 0;
  for (const last of expired) count += await audit.removeUpTo(last);
  return count;
}

type Records = Pick<AuditRepository, 'each'>;

/** The last record of a chain before the first one that is new enough. */
async function lastExpired(
  audit: Records,
  { first: { writer, time } }: ChainEnds,
  before: Micros,
): Promise<AuditRecord | undefined> {
  if (time >= before) return undefined;
  const byAge = { writer: 1, sequence: 1 } as const;
  const firstKept = await first(audit.each({ filter: { writer, time: atLeast(before) }, sort: byAge, limit: 1 }));
  const filter = firstKept ? { writer, sequence: below(firstKept.sequence) } : { writer };
  return first(audit.each({ filter, sort: { writer: -1, sequence: -1 }, limit: 1 }));
}

async function first(records: AsyncIterable<AuditRecord>): Promise<AuditRecord | undefined> {
  for await (const record of records) return record;
  return undefined;
}

async function problemUpTo(audit: Records, last: AuditRecord, removed: AuditHead | undefined) {
  const { writer, sequence } = last;
  const check = chainCheck([auditHeadOf(last)], removed ? [removed] : []);
  const filter = { writer, sequence: atMost(sequence) };
  for await (const record of audit.each({ filter, sort: { writer: 1, sequence: 1 } })) if (!check.take(record)) break;
  const { first_bad: bad = auditId(last), problem } = check.finish();
  return problem === undefined ? undefined : { record: bad, problem };
}
