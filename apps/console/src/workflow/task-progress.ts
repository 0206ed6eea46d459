import type { ExecutionRow, ShownGraph } from '../api/client';
import { hasEnded } from '../shared/status-badge';

export type ShownTask = ShownGraph['nodes'][number];

interface TaskContext {
  readonly orquesta?: { readonly task_name?: string; readonly items_count?: number };
  readonly chain?: { readonly name?: string };
}

const contextOf = ({ context }: Pick<ExecutionRow, 'context'>): TaskContext => context ?? {};

/** The executions of each task, in the order of their start. */
export function executionsByTask(children: readonly ExecutionRow[]): ReadonlyMap<string, readonly ExecutionRow[]> {
  return Map.groupBy(children, (child) => {
    const { orquesta, chain } = contextOf(child);
    return orquesta?.task_name ?? chain?.name ?? '';
  });
}

export interface ItemProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

/** How many items of a task have ended; undefined for a task without items. */
export function itemProgress(task: ShownTask, executions: readonly ExecutionRow[] = []): ItemProgress | undefined {
  if (!task.with_items) return undefined;
  const ended = executions.filter(({ status }) => hasEnded(status));
  return {
    done: ended.length,
    failed: ended.filter(({ status }) => status !== 'succeeded').length,
    total: Math.max(executions.length, ...executions.map((each) => contextOf(each).orquesta?.items_count ?? 0)),
  };
}

/** The last run of a task. Tasks of cycles and retried tasks have several. */
export const lastRun = ({ runs }: ShownTask): ShownTask['runs'][number] | undefined => runs.at(-1);
