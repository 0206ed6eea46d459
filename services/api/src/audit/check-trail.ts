import { slices } from '@switchyard/base';
import { chainCheck, type AuditCheck, type AuditHead } from '@switchyard/model';
import type { AuditRepository } from '@switchyard/storage';

/**
 * Reads the whole trail twice: for the heads that checkpoints name, and to check each record.
 * @param own the last record of this process, which no checkpoint may name yet
 */
export async function checkTrail(
  trail: Pick<AuditRepository, 'each' | 'chains'>,
  own: AuditHead | undefined,
  signal: AbortSignal,
): Promise<AuditCheck> {
  const heads = own ? [own] : [];
  const turn = slices();
  for await (const { heads: named = [] } of trail.each({ filter: { kind: 'checkpoint' } })) heads.push(...named);
  const check = chainCheck(heads);
  for await (const record of trail.chains()) {
    await turn.next();
    if (signal.aborted || !check.take(record)) break;
  }
  return check.finish();
}
