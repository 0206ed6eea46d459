import type { Executions } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

export interface UnservedDeps {
  store: Pick<Store, 'executions'>;
  executions: Pick<Executions, 'transition'>;
}

const BATCH = 100;

/** Reports that no living runner serves the pool of an execution. The execution stays in the backlog until one starts. */
export async function markUnserved(
  { executions }: Pick<UnservedDeps, 'executions'>,
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
    const waiting = await deps.store.executions.list({ filter, limit: BATCH });
    const marked = await Promise.all(waiting.map((record) => markUnserved(deps, record)));
    if (!marked.includes(true)) return;
  }
}
