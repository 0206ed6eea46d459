import { SECOND_MS, type Clock, type Id, type Micros } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import { isOneOf } from '@switchyard/storage';
import type { ExecutionRecord } from '@switchyard/model';

/** How long the status of a tree is known. */
export const KNOWN_MS = SECOND_MS / 4;

/**
 * Leaves out workflows of trees that are being canceled. The engine that cancels such a tree ends its waiting workflows a hundred at a time;
 * each one that was released meanwhile would take a write and a message of its own before it ends. What was requested after the cancellation,
 * such as by an action that may finish, is released: the engine may have looked before, and begins nothing of such a tree.
 */
export interface CancelingTrees {
  /** @returns the others, in the same order */
  leaveOut(waiting: readonly ExecutionRecord[]): Promise<readonly ExecutionRecord[]>;
}

export function createCancelingTrees(
  records: Pick<ExecutionRecords, 'list'>,
  clock: Pick<Clock, 'monotonicMs'>,
): CancelingTrees {
  let known = { roots: new Set<Id>(), canceling: new Map<Id, Micros>(), atMs: -Infinity };
  return {
    async leaveOut(waiting) {
      const now = clock.monotonicMs();
      if (now - known.atMs >= KNOWN_MS) known = { roots: new Set(), canceling: new Map(), atMs: now };
      const { roots, canceling } = known;
      const unknown = new Set(waiting.flatMap(({ root }) => (root === undefined || roots.has(root) ? [] : [root])));
      if (unknown.size > 0) {
        const found = await records.list({ filter: { _id: isOneOf([...unknown]), status: 'canceling' } });
        for (const id of unknown) roots.add(id);
        for (const { _id: id, log } of found) canceling.set(id, canceledAt(log));
      }
      if (canceling.size === 0) return waiting;
      return waiting.filter(
        ({ root, start_timestamp: requested }) => root === undefined || requested > (canceling.get(root) ?? -Infinity),
      );
    },
  };
}

const canceledAt = (log: ExecutionRecord['log']): Micros =>
  log.findLast(({ status }) => status === 'canceling')?.timestamp ?? -Infinity;
