import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { randomHex } from '@switchyard/base';
import { loadConfig, type Config, type ConfigOverrides } from '@switchyard/config';
import { DEAD_LETTER, exchanges, prefixed, workQueues } from '@switchyard/messaging';
import { connectMongo } from '@switchyard/storage';

/** A separate place for one test: a directory, and on servers a database and a prefix. */
export interface TestSite {
  readonly config: Config;
  /** Removes everything in it. */
  remove(): Promise<void>;
}

/** Short enough for fast tests, and long enough for a busy machine. */
const QUICK: ConfigOverrides = {
  instances: { heartbeat_ms: 100, lease_ms: 1000 },
  sweep: { interval_ms: 100, older_than_ms: 300 },
};

/** On the embedded drivers, unless SVC_TEST_MONGODB_URL and SVC_TEST_AMQP_URL name servers. */
export async function openTestSite(overrides: ConfigOverrides = {}): Promise<TestSite> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-test-'));
  const mongoUrl = process.env['SVC_TEST_MONGODB_URL'];
  const amqpUrl = process.env['SVC_TEST_AMQP_URL'];
  const name = `t${randomHex(12)}`;
  const merged = merge(
    QUICK,
    { system: { base_path: directory } },
    mongoUrl === undefined ? {} : { storage: { driver: 'mongodb' }, database: { host: mongoUrl, db_name: name } },
    amqpUrl === undefined ? {} : { messaging: { driver: 'rabbitmq', url: amqpUrl, prefix: name } },
    overrides,
  );
  const { config } = loadConfig({ environment: {}, overrides: merged });
  return {
    config,
    async remove() {
      if (mongoUrl !== undefined) await dropDatabase(config);
      if (amqpUrl !== undefined) await dropQueues(amqpUrl, name);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function merge(...parts: ConfigOverrides[]): ConfigOverrides {
  const merged: Record<string, object> = {};
  for (const part of parts)
    for (const [section, options] of Object.entries(part)) merged[section] = { ...merged[section], ...options };
  return merged;
}

async function dropDatabase(config: Config): Promise<void> {
  const connection = await connectMongo(config.database);
  await connection.dropDatabase();
  await connection.close();
}

async function dropQueues(url: string, prefix: string): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  for (const name of [
    ...Object.keys(workQueues),
    DEAD_LETTER,
    ...TEST_POOLS.map((pool) => `actionrunner.work.${pool}`),
  ])
    await channel.deleteQueue(prefixed(prefix, name));
  for (const name of Object.keys(exchanges)) await channel.deleteExchange(prefixed(prefix, name));
  await connection.close();
}

/** The pools that tests may use; their queues are removed afterwards. */
export const TEST_POOLS = ['gpu', 'edge'] as const;
