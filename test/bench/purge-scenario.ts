import type { Bench } from './bench';
import { NOOP } from './job-scenarios';
import { measured, SUBMITTERS } from './load';
import type { Measurement } from './measurement';
import { fillExecutions } from './stored-executions';
import { runJobs } from './submit';
import { localOf } from './target';

const DAY_MS = 86_400_000;
const TTL_DAYS = 30;
/** The age of the youngest stored execution. */
const AGE_MS = 2 * TTL_DAYS * DAY_MS;
const REMOVING = { SVC_GARBAGECOLLECTOR__ACTION_EXECUTIONS_TTL: String(TTL_DAYS) };
/** Jobs in each of the three measurements, at scale 1. */
const JOBS = 20_000;

/**
 * The throughput of noop executions without removal, beside the removal of stored executions because of their age, and without it again.
 * The removal need not end: it is measured while the load runs.
 */
export async function purgeScenario(bench: Bench): Promise<Measurement[]> {
  const { stored, scale } = bench;
  const load = (what: string) =>
    measured(bench, what, () => runJobs(bench.api, NOOP, Math.ceil(JOBS * scale), SUBMITTERS));
  await runJobs(bench.api, NOOP, 1, 1);
  await bench.restart(() => fillExecutions(localOf(bench.system), stored, AGE_MS));
  await warmUp(bench);
  const before = await load('before the removal');
  await bench.restart(undefined, REMOVING);
  await warmUp(bench);
  const [start, first] = [performance.now(), await countOld(bench)];
  const beside = await load('beside the removal');
  const last = await countOld(bench);
  const seconds = (performance.now() - start) / 1000;
  if (last === 0 || last === first)
    throw new Error(`${first} old executions at first, ${last} at last: run with another --stored`);
  await bench.restart();
  await warmUp(bench);
  const after = await load('after the removal');
  const change = (figure: string) =>
    100 * (beside.figures[figure]! / ((before.figures[figure]! + after.figures[figure]!) / 2) - 1);
  const removal = {
    'per second': (first - last) / seconds,
    'loss %': -change('per second'),
    'more CPU %': change('CPU ms each'),
  };
  return [before, beside, after, { what: `removal of ${stored} executions`, figures: removal }];
}

const warmUp = ({ api, scale }: Bench) => runJobs(api, NOOP, Math.ceil((JOBS * scale) / 10), SUBMITTERS);

/** The number of executions that are old enough to be removed. */
async function countOld({ api }: Bench): Promise<number> {
  const before = new Date(Date.now() - TTL_DAYS * DAY_MS).toISOString();
  const query = `limit=1&include_attributes=id&timestamp_lt=${before}`;
  const { status, headers } = await api.call('GET', `/v1/executions?${query}`);
  if (status !== 200) throw new Error(`the list of executions was refused with ${status}`);
  return Number(headers['x-total-count']);
}
