import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endsWithUs } from '../../system/ends-with-us';

/** The delays of one address, in milliseconds. */
export interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly count: number;
  /** Probes without a 200. */
  readonly failed: number;
}

export interface ProbeResult {
  /** By the name of the address. */
  readonly system: Readonly<Record<string, Delays>>;
  /** The delays of our own idle and disk-writing servers, which show the share of the machine itself. */
  readonly idle: Delays;
  readonly disk: Delays;
}

type Baselines = Readonly<Record<'idle' | 'disk', Delays>>;

/** Requests `/healthz` of addresses every few milliseconds, in a separate process that our own work does not delay. */
export interface Probe {
  begin(addresses: Readonly<Record<string, string>>): Promise<void>;
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
    async begin(addresses) {
      const base = `http://127.0.0.1:${port}`;
      await ask({ addresses: { ...addresses, idle: base, disk: `${base}/disk` } });
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
