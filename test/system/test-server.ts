import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { endsWithUs } from './ends-with-us';

/** A server that tests can stop, kill and restart on the same data. */
export interface TestServer {
  readonly url: string;
  /** The process while it runs. It may have others below it. */
  readonly pid: number | undefined;
  start(): Promise<void>;
  /** @param signal SIGKILL for a crash */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const START_MS = 60_000;

/** A process group that counts as started once its port answers. */
export function testServer(
  url: string,
  port: number,
  spawnServer: () => ChildProcess,
  afterKill?: () => void,
): TestServer {
  let child: ChildProcess | undefined;
  return {
    url,
    get pid() {
      return child?.pid;
    },
    async start() {
      const started = (child = spawnServer());
      endsWithUs(started, () => {
        killGroup(started);
        afterKill?.();
      });
      await answers(port, started);
    },
    async stop(signal = 'SIGTERM') {
      const running = child;
      child = undefined;
      if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, 'exit');
      process.kill(-running.pid, signal);
      await ended;
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended, but its exit event is still pending.
  }
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    if (await accepts(port)) return;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the server on port ${port} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
