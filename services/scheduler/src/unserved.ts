import type { Executions } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';

export interface UnservedDeps {
  executions: Pick<Executions, 'records' | 'transition'>;
}

const BATCH = 100;

/** Reports that no living runner serves the pool of an execution. The execution stays in the backlog until one starts. */
export async function markUnserved(
  { executions }: { executions: Pick<Executions, 'transition'> },
  record: ExecutionRecord,
): Promise<boolean> {
  const moved = await executions.transition(record, 'delayed', {
    from: ['requested'],
    due: ['scheduler'],
    set: { waiting_for: `an action runner with the label "${record.pool}"` },
  });
  return moved !== undefined;
}

/** Reports this for all executions that wait in a pool whose last runner has gone. */
export async function markPoolUnserved(deps: UnservedDeps, pool: string): Promise<void> {
  const filter = { due: 'scheduler', pool, status: 'requested' } as const;
  for (;;) {
    const waiting = await deps.executions.records.list({ filter, limit: BATCH });
    const marked = await Promise.all(waiting.map((record) => markUnserved(deps, record)));
    if (!marked.includes(true)) return;
  }
}
