import type { Bench } from './bench';
import { NOOP } from './job-scenarios';
import type { Measurement } from './measurement';
import { percentiles } from './measure';
import { fillExecutions, openStoreOf } from './stored-executions';
import { runJobs } from './submit';
import { localOf } from './target';

const READS = 30;
const PAGE = 50;
/** The fraction of all executions that a late page skips. */
const LATE = 0.9;

const FILTER = { action_ref: 'core.noop', status: 'succeeded' };

/** Lists of many stored executions, each with the count of all matches. On servers also the bare queries of the driver. */
export async function storedScenario(bench: Bench): Promise<Measurement[]> {
  const { stored } = bench;
  await runJobs(bench.api, NOOP, 1, 1);
  await bench.restart(() => fillExecutions(localOf(bench.system), stored));
  const late = Math.floor(stored * LATE);
  const read = (query: string) => async () => {
    const { status, body } = await bench.api.call('GET', `/v1/executions?limit=${PAGE}${query}`);
    if (status !== 200) throw new Error(`the list of executions was refused with ${status}: ${JSON.stringify(body)}`);
  };
  return [
    await timesOf('first page', read('')),
    await timesOf('filtered page', read('&action=core.noop&status=succeeded')),
    await timesOf(`page at offset ${late}`, read(`&offset=${late}`)),
    ...(await bareQueries(bench, late)),
  ].map(({ what, figures }) => ({ what: `${stored} stored: ${what}`, figures }));
}

async function bareQueries({ system }: Bench, late: number): Promise<Measurement[]> {
  const local = localOf(system);
  if (local.store.driver === 'embedded') return [];
  const connection = await openStoreOf(local);
  const executions = connection.collection('executions');
  const query =
    (filter: object, skip = 0) =>
    async () => {
      await executions.find(filter).sort({ start_timestamp: -1 }).skip(skip).limit(PAGE).toArray();
      await (Object.keys(filter).length > 0 ? executions.countDocuments(filter) : executions.estimatedDocumentCount());
    };
  try {
    return [
      await timesOf('first page, bare driver', query({})),
      await timesOf('filtered page, bare driver', query(FILTER)),
      await timesOf(`page at offset ${late}, bare driver`, query({}, late)),
    ];
  } finally {
    await connection.close();
  }
}

async function timesOf(what: string, read: () => Promise<void>): Promise<Measurement> {
  await read();
  const times: number[] = [];
  for (let round = 0; round < READS; round++) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  const { p50, p95 } = percentiles(times);
  return { what, figures: { 'p50 ms': p50, 'p95 ms': p95 } };
}
