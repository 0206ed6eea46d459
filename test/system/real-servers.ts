import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { endsWithUs } from './ends-with-us';
import { freePorts } from './system-process';

/** A server that tests can stop, kill and restart on the same data. */
export interface TestServer {
  readonly url: string;
  start(): Promise<void>;
  /** @param signal SIGKILL for a crash */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface RealServers {
  readonly mongo: TestServer;
  readonly rabbit: TestServer;
  /** Stops both and removes their data. */
  remove(): Promise<void>;
}

const MONGO_BINARIES = [
  process.env['SVC_TEST_MONGODB_BINARY'],
  join(homedir(), '.cache/switchyard/secantus/bin/secantusd-rs'),
];
const RABBIT_SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server';
// With the usual limit of 1024 open files, RabbitMQ silently stops responding at about 300 quorum queues.
const MANY_FILES = `ulimit -n 65536 2>/dev/null || ulimit -n "$(ulimit -H -n)"; exec ${RABBIT_SERVER}`;
const START_MS = 60_000;

/** What this machine lacks for tests on real servers, or undefined. */
export function missingServer(): string | undefined {
  if (missingMongo() !== undefined) return missingMongo();
  if (!existsSync(RABBIT_SERVER)) return 'rabbitmq-server';
  return undefined;
}

/** The same for tests that need no broker. */
export const missingMongo = (): string | undefined =>
  mongoBinary() ? undefined : 'secantusd-rs (a server with the MongoDB protocol)';

/** Prints that tests on servers are skipped. Throws if they are required. */
export function serversMissing(name: string): void {
  if (process.env['SVC_TEST_SERVERS'] === 'required') throw new Error(`${name} is needed for these tests.`);
  console.warn(`Skipped on real servers: ${name} is not installed.`);
}

const mongoBinary = (): string | undefined => MONGO_BINARIES.find((path) => path !== undefined && existsSync(path));

/** Starts RabbitMQ and a server with the MongoDB protocol, with their own data and ports. */
export async function startRealServers(): Promise<RealServers> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-servers-'));
  chmodSync(directory, 0o755);
  const ports = await freePorts(4);
  const mongo = mongoServer(directory, ports[0] as number);
  const rabbit = rabbitServer(directory, ports.slice(1));
  await Promise.all([mongo.start(), rabbit.start()]);
  return {
    mongo,
    rabbit,
    async remove() {
      await Promise.all([mongo.stop(), rabbit.stop()]);
      endNames(ports[3]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Starts only a server with the MongoDB protocol. */
export async function startMongo(): Promise<Pick<RealServers, 'mongo' | 'remove'>> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-servers-'));
  const [port = 0] = await freePorts(1);
  const mongo = mongoServer(directory, port);
  await mongo.start();
  return {
    mongo,
    async remove() {
      await mongo.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function mongoServer(directory: string, port: number): TestServer {
  const data = join(directory, 'mongo');
  mkdirSync(data, { recursive: true });
  const start = () =>
    spawn(mongoBinary() ?? '', ['--port', String(port), '--storage-path', data, '--sync-on-commit'], {
      stdio: 'ignore',
      detached: true,
    });
  return server(`mongodb://127.0.0.1:${port}/?directConnection=true`, port, start);
}

function rabbitServer(directory: string, [port = 0, distribution = 0, names = 0]: readonly number[]): TestServer {
  const home = join(directory, 'rabbit');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'enabled_plugins'), '');
  const isRoot = userInfo().uid === 0;
  if (isRoot) spawnSync('chown', ['-R', 'rabbitmq', home]);
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    ERL_EPMD_PORT: String(names),
    RABBITMQ_NODENAME: `svc-${port}@localhost`,
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: home,
    RABBITMQ_LOG_BASE: home,
    RABBITMQ_PID_FILE: join(home, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
  };
  const start = () => {
    const [command, ...args] = [...(isRoot ? ['runuser', '-u', 'rabbitmq', '--'] : []), 'sh', '-c', MANY_FILES];
    return spawn(command, args, { cwd: home, env: environment, stdio: 'ignore', detached: true });
  };
  return server(`amqp://guest:guest@127.0.0.1:${port}`, port, start, () => endNames(names));
}

/** Stops epmd, which the broker started. It refuses until it has noticed that the broker ended, hence the retries. */
const END_NAMES = 'for n in 1 2 3 4 5; do epmd -kill | grep -q Killed && exit; sleep 0.2; done';
const endNames = (port = 0): void =>
  void spawnSync('sh', ['-c', END_NAMES], { env: { ...process.env, ERL_EPMD_PORT: String(port) } });

/** A process group that counts as started once its port answers. */
function server(url: string, port: number, spawnServer: () => ChildProcess, afterKill?: () => void): TestServer {
  let child: ChildProcess | undefined;
  return {
    url,
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
