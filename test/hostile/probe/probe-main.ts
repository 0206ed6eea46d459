// Requests `/healthz` at fixed times, whether or not earlier probes were answered. If a system stalls for a second, all probes
// of that second are delayed and count.
import { Agent, get } from 'node:http';
import type { Delays } from './probe';

const EVERY_MS = 25;
const TIMEOUT_MS = 60_000;

interface Lane {
  readonly delays: number[];
  failed: number;
  readonly open: Set<Promise<void>>;
}

const agent = new Agent({ keepAlive: true });
let lanes = new Map<string, Lane>();
let timer: NodeJS.Timeout | undefined;

process.on('message', (message: { addresses?: Record<string, string>; end?: true }) => {
  void (message.addresses ? begin(message.addresses) : end());
});

function begin(addresses: Record<string, string>): void {
  lanes = new Map(Object.keys(addresses).map((name) => [name, { delays: [], failed: 0, open: new Set() }]));
  const all = () => {
    for (const [name, lane] of lanes) {
      const probed = probe(`${addresses[name] ?? ''}/healthz`, lane).finally(() => lane.open.delete(probed));
      lane.open.add(probed);
    }
  };
  timer = setInterval(all, EVERY_MS);
  process.send?.('begun');
}

async function end(): Promise<void> {
  clearInterval(timer);
  await Promise.all([...lanes.values()].flatMap(({ open }) => [...open]));
  process.send?.(Object.fromEntries([...lanes].map(([name, lane]) => [name, summary(lane)])));
}

async function probe(url: string, lane: Lane): Promise<void> {
  const start = performance.now();
  const outcome = await ask(url);
  // An idle connection may be closed just as it is reused, which says nothing about the system.
  const answered = outcome === 'stale' ? (await ask(url)) === 'answered' : outcome === 'answered';
  if (answered) lane.delays.push(performance.now() - start);
  else lane.failed++;
}

function ask(url: string): Promise<'answered' | 'stale' | 'failed'> {
  return new Promise((resolve) => {
    const asked = get(url, { agent, timeout: TIMEOUT_MS }, (response) => {
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

function summary({ delays, failed }: Lane): Delays {
  const sorted = [...delays].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0, count: sorted.length, failed };
}
