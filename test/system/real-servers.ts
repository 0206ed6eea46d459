import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { endNames, hasRabbit, rabbitNode } from './rabbit-nodes';
import { freePorts } from './system-process';
import { testServer, type TestServer } from './test-server';

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

/** What this machine lacks for tests on real servers, or undefined. */
export function missingServer(): string | undefined {
  if (missingMongo() !== undefined) return missingMongo();
  if (!hasRabbit()) return 'rabbitmq-server';
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

/**
 * Starts RabbitMQ and a server with the MongoDB protocol, with their own data and ports.
 * @param beforeMongo gets the directory for the data of MongoDB
 */
export async function startRealServers(beforeMongo?: (directory: string) => void): Promise<RealServers> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-servers-'));
  chmodSync(directory, 0o755);
  const [mongoPort = 0, port = 0, distribution = 0, names = 0] = await freePorts(4);
  beforeMongo?.(mongoData(directory));
  const mongo = mongoServer(directory, mongoPort);
  const rabbit = rabbitNode(join(directory, 'rabbit'), { port, distribution, names });
  await Promise.all([mongo.start(), rabbit.start()]);
  return {
    mongo,
    rabbit,
    async remove() {
      await Promise.all([mongo.stop(), rabbit.stop()]);
      endNames(names);
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

const mongoData = (directory: string): string => join(directory, 'mongo');

function mongoServer(directory: string, port: number): TestServer {
  const data = mongoData(directory);
  mkdirSync(data, { recursive: true });
  const start = () =>
    spawn(mongoBinary() ?? '', ['--port', String(port), '--storage-path', data, '--sync-on-commit'], {
      stdio: 'ignore',
      detached: true,
    });
  return testServer(`mongodb://127.0.0.1:${port}/?directConnection=true`, port, start);
}
