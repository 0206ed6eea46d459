import { slices } from '@switchyard/base';
import { chainCheck, type AuditCheck, type AuditHead } from '@switchyard/model';
import { isOneOf, type AuditRepository } from '@switchyard/storage';

type CheckedTrail = Pick<AuditRepository, 'each' | 'chains'>;

/**
 * Reads the whole trail twice: for the heads that checkpoints and retention name, and to check each record.
 * @param own the last record of this process, which no checkpoint may name yet
 */
export async function checkTrail(
  trail: CheckedTrail,
  own: () => AuditHead | undefined,
  signal: AbortSignal,
): Promise<AuditCheck> {
  for (;;) {
    const named = await namedHeads(trail);
    const check = await checkedWith(trail, named, { own: own(), signal });
    if (check.intact || signal.aborted) return check;
    // Retention may have removed records while they were read.
    if ((await namedHeads(trail)).retentions === named.retentions) return check;
  }
}

async function checkedWith(
  trail: CheckedTrail,
  { heads, removed }: NamedHeads,
  { own, signal }: { own: AuditHead | undefined; signal: AbortSignal },
): Promise<AuditCheck> {
  const turn = slices();
  const check = chainCheck(own ? [...heads, own] : heads, removed);
  for await (const record of trail.chains()) {
    await turn.next();
    if (signal.aborted || !check.take(record)) break;
  }
  return check.finish();
}

interface NamedHeads {
  /** By checkpoints. */
  readonly heads: readonly AuditHead[];
  /** The last records that retention has removed. */
  readonly removed: readonly AuditHead[];
  /** The ids of the records that name them. */
  readonly retentions: string;
}

/** The records that other records name. */
export async function namedHeads(trail: Pick<CheckedTrail, 'each'>): Promise<NamedHeads> {
  const heads: AuditHead[] = [];
  const removed: AuditHead[] = [];
  const retentions: string[] = [];
  const filter = { kind: isOneOf(['checkpoint', 'retention'] as const) };
  for await (const { _id, kind, heads: named = [] } of trail.each({ filter })) {
    if (kind === 'retention') retentions.push(_id);
    (kind === 'retention' ? removed : heads).push(...named);
  }
  return { heads, removed, retentions: retentions.sort().join() };
}
