import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endsWithUs } from '../../system/ends-with-us';

/** The delays of one address, in milliseconds. */
export interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly slowest: Slowest;
  /** The longest delay without the time that the threads have waited for a processor. */
  readonly ownMax: number;
  readonly count: number;
  /** Probes without a 200. */
  readonly failed: number;
}

/** What the longest delay consists of. The rest is waiting for something else: the disk, another process, other threads. */
export interface Slowest {
  readonly ms: number;
  /** While the main thread of the process worked. */
  readonly workedMs: number;
  /** While it, or the probe, was ready to work and other threads had the processors. Linux only. */
  readonly waitedMs: number;
}

/** A listener, and the process behind it. */
export interface Probed {
  readonly url: string;
  readonly pid: number;
}

export interface ProbeResult {
  /** By the name of the address. */
  readonly system: Readonly<Record<string, Delays>>;
  /** The delays of the idle and disk-writing servers of the suite, which show the delays of the machine itself. */
  readonly idle: Delays;
  readonly disk: Delays;
}

type Baselines = Readonly<Record<'idle' | 'disk', Delays>>;

/** Requests `/healthz` of addresses every few milliseconds, in a separate process that the work of the suite does not
 * delay. */
export interface Probe {
  begin(listeners: Readonly<Record<string, Probed>>): Promise<void>;
  end(): Promise<ProbeResult>;
  stop(): Promise<void>;
}

export async function startProbe(): Promise<Probe> {
  const idle = fork(join(__dirname, 'idle-main.js'));
  endsWithUs(idle, () => idle.kill('SIGKILL'));
  const [port] = (await once(idle, 'message')) as [number];
  const child = fork(join(__dirname, 'probe-main.js'));
  endsWithUs(child, () => child.kill('SIGKILL'));
  const ask = async (message: unknown): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send(message as object);
    return ((await answered) as [unknown])[0];
  };
  return {
    async begin(listeners) {
      const [url, pid] = [`http://127.0.0.1:${port}`, idle.pid ?? 0];
      await ask({ probed: { ...listeners, idle: { url, pid }, disk: { url: `${url}/disk`, pid } } });
    },
    async end() {
      const { idle, disk, ...system } = (await ask({ end: true })) as Record<string, Delays> & Baselines;
      return { system, idle, disk };
    },
    stop: async () => void (await Promise.all([ended(child), ended(idle)])),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
