import type { Clock } from '@switchyard/base';
import { WORKFLOW_POOL, type Executions } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import type { Metrics } from '@switchyard/telemetry';

export interface ReleaseOneDeps {
  executions: Pick<Executions, 'transition'>;
  clock: Clock;
  metrics: Pick<Metrics, 'time'>;
}

/** @returns false when somebody else has moved it */
export async function releaseOne(
  { executions, clock, metrics }: ReleaseOneDeps,
  record: Pick<ExecutionRecord, '_id' | 'pool'>,
): Promise<boolean> {
  const startMs = clock.monotonicMs();
  const isWorkflow = record.pool === WORKFLOW_POOL;
  const moved = await executions.transition(isWorkflow ? { _id: record._id } : record, 'scheduled', {
    from: ['requested', 'delayed'],
    due: [isWorkflow ? 'workflow-engine' : 'action-runner'],
  });
  if (moved) metrics.time('scheduler.handle_execution', clock.monotonicMs() - startMs);
  return moved !== undefined;
}
