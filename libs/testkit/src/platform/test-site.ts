import { appendFile, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { randomHex } from '@switchyard/base';
import { loadConfig, type Config, type ConfigOverrides } from '@switchyard/config';
import { DEAD_LETTER, exchanges, prefixed, workQueues } from '@switchyard/messaging';
import { connectMongo, type DatabaseOptions } from '@switchyard/storage';

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
  if (mongoUrl !== undefined || amqpUrl !== undefined) await record(name);
  const prefix = (amqpUrl === undefined ? undefined : await emptiedPrefix(amqpUrl)) ?? name;
  const merged = merge(
    QUICK,
    { system: { base_path: directory } },
    mongoUrl === undefined ? {} : { storage: { driver: 'mongodb' }, database: { host: mongoUrl, db_name: name } },
    amqpUrl === undefined ? {} : { messaging: { driver: 'rabbitmq', url: amqpUrl, prefix } },
    overrides,
  );
  const { config } = loadConfig({ environment: {}, overrides: merged });
  let removed = false;
  return {
    config,
    async remove() {
      // The prefix may belong to another test by the second time.
      if (removed) return;
      removed = true;
      if (mongoUrl !== undefined) await dropDatabase(config.database);
      if (amqpUrl !== undefined) await leavePrefix(amqpUrl, prefix);
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

/** SVC_TEST_SITES names a file for the names that tests take on servers, so that whoever runs them can remove what an aborted one left. */
async function record(name: string): Promise<void> {
  const file = process.env['SVC_TEST_SITES'];
  if (file !== undefined) await appendFile(file, `${name}\n`);
}

/**
 * SVC_TEST_PREFIXES names a directory with the prefixes of tests that have ended, on a broker that nobody needs afterwards. Others use them
 * again, because RabbitMQ needs a quarter of a second of processor time to create and remove the exchanges and queues of a prefix.
 */
const unusedPrefixes = (): string | undefined => process.env['SVC_TEST_PREFIXES'];

/** A prefix of a test that has ended, with empty queues. */
async function emptiedPrefix(amqpUrl: string): Promise<string | undefined> {
  const folder = unusedPrefixes();
  if (folder === undefined) return undefined;
  // Their names begin with the time, so the one that has been unused for longest comes first.
  for (const file of (await readdir(folder)).sort()) {
    const prefix = file.slice(file.indexOf('-') + 1);
    // Another process may have been faster.
    const isOurs = await unlink(join(folder, file)).then(
      () => true,
      () => false,
    );
    if (isOurs && (await isEmptied(amqpUrl, prefix))) return prefix;
  }
  return undefined;
}

/** @returns false if a test has removed a queue */
async function isEmptied(url: string, prefix: string): Promise<boolean> {
  const connection = await connect(url);
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    for (const pool of TEST_POOLS) await channel.deleteQueue(prefixed(prefix, `actionrunner.work.${pool}`));
    for (const name of [...Object.keys(workQueues), DEAD_LETTER]) await channel.purgeQueue(prefixed(prefix, name));
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** Leaves the prefix to other tests, or removes what it has. */
async function leavePrefix(url: string, prefix: string): Promise<void> {
  const folder = unusedPrefixes();
  if (folder === undefined) await dropQueues(url, prefix);
  else await writeFile(join(folder, `${Date.now()}-${prefix}`), '');
}

/** Removes the database of a test. There need not be one. */
export async function dropDatabase(database: DatabaseOptions): Promise<void> {
  const connection = await connectMongo(database);
  await connection.dropDatabase();
  await connection.close();
}

/** Removes the exchanges and queues of a test. There need not be any. */
export async function dropQueues(url: string, prefix: string): Promise<void> {
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
