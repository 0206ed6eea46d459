import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from './bench';
import { median, type Measurement } from './measurement';
import { treeDescriptors, treePssMb } from './process-tree';
import { openStoreOf } from './stored-executions';
import { localOf, pidsOf, type LocalSystem } from './target';

const SLICES = 6;
const BYTES_PER_KB = 1024;

interface Sample {
  readonly atMs: number;
  readonly executions: number;
  readonly storeKb: number;
  readonly memoryMb: number;
  readonly descriptors: number;
}

type Figures = Measurement['figures'];

/** What a system does and uses in each of several slices of a long load, and the change from the first half to the second. */
export async function slicesOf(bench: Bench, lengthMs: number): Promise<Measurement[]> {
  const local = localOf(bench.system);
  const start = performance.now();
  const samples = [await sample(bench, local)];
  for (let slice = 1; slice <= SLICES; slice++) {
    await wait(Math.max(0, start + (lengthMs * slice) / SLICES - performance.now()));
    samples.push(await sample(bench, local));
  }
  const slices = samples.slice(1).map((after, index) => figuresOf(samples[index]!, after));
  return [
    ...slices.map((figures, index) => ({ what: `slice ${index + 1} of ${SLICES}`, figures })),
    { what: 'second half / first half', figures: drift(slices) },
  ];
}

function figuresOf(before: Sample, after: Sample): Figures {
  const executions = after.executions - before.executions;
  return {
    'executions per second': executions / ((after.atMs - before.atMs) / 1000),
    'PSS MB': after.memoryMb,
    descriptors: after.descriptors,
    'store kB per execution': (after.storeKb - before.storeKb) / executions,
  };
}

function drift(slices: readonly Figures[]): Figures {
  const names = Object.keys(slices[0] ?? {});
  const middle = (half: readonly Figures[], name: string) => median(half.map((figures) => figures[name] ?? Number.NaN));
  const [first, second] = [slices.slice(0, SLICES / 2), slices.slice(SLICES / 2)];
  return Object.fromEntries(names.map((name) => [name, middle(second, name) / middle(first, name)]));
}

async function sample({ api, system }: Bench, local: LocalSystem): Promise<Sample> {
  const { headers } = await api.call('GET', '/v1/executions?limit=1&include_attributes=status');
  const pids = pidsOf(system);
  return {
    atMs: performance.now(),
    executions: Number(headers['x-total-count']),
    storeKb: (await storeBytes(local)) / BYTES_PER_KB,
    memoryMb: treePssMb(pids),
    descriptors: treeDescriptors(pids),
  };
}

/** With all indexes. */
async function storeBytes(local: LocalSystem): Promise<number> {
  const { store } = local;
  if (store.driver === 'embedded') {
    const files = readdirSync(store.directory, { recursive: true, encoding: 'utf8' });
    return files.reduce((sum, file) => sum + statSync(join(store.directory, file)).size, 0);
  }
  const connection = await openStoreOf(local);
  try {
    const { dataSize = 0, indexSize = 0 } = (await connection.db?.stats()) ?? {};
    return Number(dataSize) + Number(indexSize);
  } finally {
    await connection.close();
  }
}
