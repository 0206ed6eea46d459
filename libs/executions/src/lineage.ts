import { fault } from '@switchyard/base';
import { childShare, interactiveShare, type ExecutionRecord } from '@switchyard/model';

/** Where an execution stands among others; set once, at its request. */
export type Lineage = Pick<ExecutionRecord, 'root' | 'nesting' | 'share'>;

/** What is taken over from the execution around one. */
export type Ancestor = Pick<ExecutionRecord, '_id' | 'context' | 'root' | 'nesting' | 'share'>;

interface LineageLimits {
  maxNesting?: number;
}

/** @throws Fault `execution.nesting` when too many executions would lie around it */
export function lineageOf(
  { maxNesting = Number.POSITIVE_INFINITY }: LineageLimits,
  { action, workflow }: { action: string; workflow?: { isApart?: boolean } },
  parent: Ancestor | undefined,
  { user }: Readonly<Record<string, unknown>>,
): Lineage {
  if (!parent) return { share: interactiveShare(String(user)) };
  const nesting = (parent.nesting ?? 0) + 1;
  if (nesting > maxNesting) throw fault('execution.nesting', { action, nesting, most: maxNesting });
  return {
    ...(workflow && !workflow.isApart ? { root: parent.root ?? parent._id } : {}),
    nesting,
    share: childShare(String(user), parent),
  };
}
