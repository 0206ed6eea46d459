import { isTerminal, STATUSES } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Metrics } from '@switchyard/telemetry';

/** Those whose number goes down again. */
const PASSING = STATUSES.filter((status) => !isTerminal(status));

/** How many executions are under way, by status: counts of index keys, in no need of a record. */
export async function measureLevels(store: Pick<Store, 'executions'>, metrics: Pick<Metrics, 'level'>): Promise<void> {
  for (const status of PASSING)
    metrics.level('executions.{status}', await store.executions.count({ status }), { status });
}
