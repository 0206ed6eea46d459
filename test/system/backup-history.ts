import { aChunk, anExecution } from '@switchyard/testkit/platform';
import type { Store } from '@switchyard/storage';

const BATCH = 500;
/** The size of a usual result. */
const RESULT_BYTES = 512;

/** Stores ended executions with a result and a chunk of output each. */
export async function fillHistory(store: Store, count: number): Promise<void> {
  const result = JSON.stringify({ stdout: 'x'.repeat(RESULT_BYTES) });
  for (let done = 0; done < count; done += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - done) }, (_, n) =>
      anExecution({ status: 'succeeded', end_timestamp: done + n, result, parameters: { cmd: `echo ${done + n}` } }),
    );
    await Promise.all(records.map((record) => store.executions.insert(record)));
    await store.output.append(records.map(({ _id }) => aChunk({ execution_id: _id })));
  }
}
