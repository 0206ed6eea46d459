import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';

export interface Nginx {
  /** Everything it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Checks `nginx.conf` of a directory with nginx, then runs nginx until it listens on a port of this machine. The log goes to a
 * file, since nginx cannot open a pipe by name.
 */
export async function startNginx(directory: string, port: number): Promise<Nginx> {
  const logFile = join(directory, 'log');
  const log = () => readFileSync(logFile, 'utf8');
  const output = openSync(logFile, 'a');
  const run = (...more: string[]) => ['-p', directory, '-c', join(directory, 'nginx.conf'), ...more];
  const { status } = spawnSync('nginx', run('-t'), { stdio: ['ignore', output, output] });
  if (status !== 0) throw new Error(`nginx refuses its configuration:\n${log()}`);
  const child = spawn('nginx', run('-g', 'daemon off;'), { stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'exit');
  await eventually(
    () => accepts(port),
    () => `nginx does not listen: ${log()}`,
  );
  return {
    log,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
