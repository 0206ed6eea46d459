import { MS_MICROS } from '@switchyard/base';
import type { TriggerInstanceRecord } from '@switchyard/model';
import { processInstance } from './process-instance';
import type { EngineParts } from './rules-engine-parts';

const BATCH = 500;
const AT_A_TIME = 20;

/**
 * Takes up instances that should have been dealt with: their message was lost, or the engine that had them is gone.
 * @param pendingForMs how long one may be pending before its message counts as lost
 * @param silentForMs how long one may be with an engine that does not keep it
 */
export async function sweepInstances(
  parts: EngineParts,
  { pendingForMs, silentForMs }: { pendingForMs: number; silentForMs: number },
): Promise<void> {
  const { store, clock } = parts;
  const now = clock.nowMicros();
  for (;;) {
    const overdue = await store.triggerInstances.overdue(now - pendingForMs * MS_MICROS, BATCH);
    const left = overdue.filter(
      ({ status, due_at: dueAt = 0 }) => status === 'pending' || dueAt < now - silentForMs * MS_MICROS,
    );
    await takeUp(parts, left);
    if (overdue.length < BATCH || left.length === 0) return;
  }
}

async function takeUp(parts: EngineParts, instances: readonly TriggerInstanceRecord[]): Promise<void> {
  const waiting = [...instances];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const claimed = await parts.store.triggerInstances.reclaim(next, parts.clock.nowMicros());
      if (claimed) await processInstance(parts, claimed, next.status === 'processing');
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}
