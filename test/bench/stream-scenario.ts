import { settled, type Bench } from './bench';
import { NOOP } from './job-scenarios';
import type { Measurement } from './measurement';
import { treeCpuSeconds } from './process-tree';
import { openReaders } from './stream-readers';
import { runJobs } from './submit';
import { localOf } from './target';

const READERS = 500;
const EVENTS_PER_SECOND = 200;
const SECONDS = 20;
const FEWEST_SECONDS = 3;
const SAMPLE = 20;
const BYTES_PER_MB = 1024 * 1024;

/** The CPU time for many readers of all events, in the process that serves them. */
export async function streamScenario(bench: Bench): Promise<Measurement[]> {
  const { api, scale, system } = bench;
  const count = Math.max(1, Math.ceil(READERS * scale));
  const seconds = Math.max(FEWEST_SECONDS, SECONDS * scale);
  const processes = localOf(system).processes;
  const pids = [processes.find(({ name }) => name.split(',').includes('stream')) ?? processes[0]].flatMap(
    (found) => found?.pid ?? [],
  );
  const readers = await openReaders({ url: `${system.stream}/v1/stream`, headers: api.headers, count });
  try {
    await runJobs(api, NOOP, SAMPLE, 1);
    await settled();
    const before = await readers.received();
    const [cpu, start] = [treeCpuSeconds(pids), performance.now()];
    await submitEvenly(bench, (EVENTS_PER_SECOND * SAMPLE) / before.events, seconds);
    const lasted = (performance.now() - start) / 1000;
    const used = treeCpuSeconds(pids) - cpu;
    const after = await readers.received();
    return [
      {
        what: `${count} readers of events`,
        figures: {
          'events per second': (after.events - before.events) / lasted,
          'MB per second': (after.bytes - before.bytes) / BYTES_PER_MB / lasted,
          cores: used / lasted,
          'slowest reader in percent of the fastest': (100 * after.fewestBytes) / after.mostBytes,
        },
      },
    ];
  } finally {
    await readers.close();
  }
}

/** Submits at a fixed rate, and does not wait for the ends. */
export async function submitEvenly({ api }: Bench, perSecond: number, seconds: number): Promise<void> {
  const sent: Promise<string>[] = [];
  const start = performance.now();
  for (let at = 0; at < seconds; at = (performance.now() - start) / 1000) {
    while (sent.length < at * perSecond) sent.push(NOOP.submit(api));
    await settled(10);
  }
  await Promise.all(sent);
}
