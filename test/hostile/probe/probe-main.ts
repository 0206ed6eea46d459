// Requests `/healthz` at fixed times, whether or not earlier probes were answered. If a system stalls for a second, all probes
// of that second are delayed and count.
import { Agent, get } from 'node:http';
import { openThreadTimes } from '../schedstat';
import type { Delays, Probed, Slowest } from './probe';

const EVERY_MS = 25;
const TIMEOUT_MS = 60_000;

interface Lane {
  readonly delays: number[];
  /** The longest delay, and the longest without the time that threads have waited for a processor. */
  slowest: Slowest;
  ownMax: number;
  failed: number;
  readonly open: Set<Promise<void>>;
  /** How long the main thread of the process and that of the probe have been ready without a processor, and the former has worked. */
  readonly times: () => { readonly workedMs: number; readonly waitedMs: number };
}

const agent = new Agent({ keepAlive: true });
const own = openThreadTimes(process.pid);
let lanes = new Map<string, Lane>();
let timer: NodeJS.Timeout | undefined;

process.on('message', (message: { probed?: Record<string, Probed>; end?: true }) => {
  void (message.probed ? begin(message.probed) : end());
});

function begin(probed: Record<string, Probed>): void {
  lanes = new Map(Object.entries(probed).map(([name, { pid }]) => [name, newLane(pid)]));
  const all = () => {
    for (const [name, lane] of lanes) {
      const done = probe(`${probed[name]?.url ?? ''}/healthz`, lane).finally(() => lane.open.delete(done));
      lane.open.add(done);
    }
  };
  timer = setInterval(all, EVERY_MS);
  process.send?.('begun');
}

function newLane(pid: number): Lane {
  const read = openThreadTimes(pid);
  const times = () => {
    const { ranMs = 0, waitedMs = 0 } = readOrNothing(read) ?? {};
    return { workedMs: ranMs, waitedMs: waitedMs + (own?.().waitedMs ?? 0) };
  };
  return { delays: [], slowest: { ms: 0, workedMs: 0, waitedMs: 0 }, ownMax: 0, failed: 0, open: new Set(), times };
}

/** The process may have ended. */
function readOrNothing(read: ReturnType<typeof openThreadTimes>) {
  try {
    return read?.();
  } catch {
    return undefined;
  }
}

async function end(): Promise<void> {
  clearInterval(timer);
  await Promise.all([...lanes.values()].flatMap(({ open }) => [...open]));
  process.send?.(Object.fromEntries([...lanes].map(([name, lane]) => [name, summary(lane)])));
}

async function probe(url: string, lane: Lane): Promise<void> {
  const before = lane.times();
  const start = performance.now();
  const outcome = await ask(url, agent);
  // Idle connections may be closed just as they are reused, several at a time, which says nothing about the system.
  const answered = outcome === 'stale' ? (await ask(url, false)) === 'answered' : outcome === 'answered';
  if (!answered) return void lane.failed++;
  const ms = performance.now() - start;
  const after = lane.times();
  // A wait that began before the probe counts when it ends.
  const waitedMs = Math.min(ms, after.waitedMs - before.waitedMs);
  lane.delays.push(ms);
  lane.ownMax = Math.max(lane.ownMax, ms - waitedMs);
  if (ms > lane.slowest.ms) lane.slowest = { ms, waitedMs, workedMs: Math.min(ms, after.workedMs - before.workedMs) };
}

/** @param from false for a connection of its own */
function ask(url: string, from: Agent | false): Promise<'answered' | 'stale' | 'failed'> {
  return new Promise((resolve) => {
    const asked = get(url, { agent: from, timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200 ? 'answered' : 'failed'));
      response.on('error', () => resolve('failed'));
    });
    let isLate = false;
    asked.on('timeout', () => {
      isLate = true;
      asked.destroy();
    });
    asked.on('error', () => resolve(asked.reusedSocket && !isLate ? 'stale' : 'failed'));
  });
}

function summary({ delays, slowest, ownMax, failed }: Lane): Delays {
  const sorted = [...delays].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: slowest.ms, slowest, ownMax, count: sorted.length, failed };
}
