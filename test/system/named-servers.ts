import { readFileSync } from 'node:fs';
import { loadConfig } from '@switchyard/config';
import { messageOf } from '@switchyard/base';
import { connectRabbit } from '@switchyard/messaging';
import { maskAddresses } from '@switchyard/model';
import { connectMongo } from '@switchyard/storage';
import { dropDatabase, dropQueues } from '@switchyard/testkit/platform';

/** Servers of somebody else, for tests that take databases and queues with names of their own. */
export interface NamedServers {
  readonly mongoUrl: string;
  readonly amqpUrl: string;
}

const EXPECTED = 'expected the address of a MongoDB server (mongodb://…) and that of a RabbitMQ server (amqp://…)';
const CONNECT_MS = 5000;

/** The addresses among the arguments, in any order. @throws Error that does not show credentials */
export function readNamedServers(given: readonly string[]): NamedServers {
  const find = (protocol: string) => given.filter((url) => URL.canParse(url) && new URL(url).protocol === protocol);
  const [[mongoUrl, ...stores], [amqpUrl, ...brokers]] = [find('mongodb:'), find('amqp:')];
  const isComplete = given.length === 2 && stores.length === 0 && brokers.length === 0;
  if (isComplete && mongoUrl !== undefined && amqpUrl !== undefined) return { mongoUrl, amqpUrl };
  const encrypted = given.find(
    (url) => /^(amqps|mongodb\+srv):/.test(url) || /^mongodb:.*[?&](tls|ssl)=true/.test(url),
  );
  if (encrypted !== undefined)
    throw new Error(
      `${shown(encrypted)}: expected an address without TLS and SRV, because tests connect through proxies.`,
    );
  throw new Error(`${EXPECTED}, got ${given.length === 0 ? 'nothing' : given.map(shown).join(' ')}.`);
}

/** Connects to the store. @returns a line about it. @throws Error if it cannot be used */
export async function describeStore(url: string): Promise<string> {
  try {
    const connection = await connectMongo(databaseOf(url, 'admin'));
    try {
      const { version } = (await connection.getClient().db('admin').command({ buildInfo: 1 })) as { version?: string };
      return `Server with the MongoDB protocol at ${shown(url)}: version ${version ?? 'unknown'}`;
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw unusable('MongoDB', url, error);
  }
}

/** The same for the broker. */
export async function describeBroker(url: string): Promise<string> {
  try {
    const connection = await within(connectRabbit(url));
    const { product, version } = serverProperties(connection);
    await connection.close();
    return `${product} at ${shown(url)}: version ${version}`;
  } catch (error) {
    throw unusable('RabbitMQ', url, error);
  }
}

/** A server with another protocol may never answer. */
async function within<T>(connecting: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${CONNECT_MS} ms`)), CONNECT_MS);
  });
  return Promise.race([connecting, tooLate]).finally(() => clearTimeout(timer));
}

/** The library's types do not show them. */
function serverProperties(connection: unknown): { readonly product: string; readonly version: string } {
  const model = connection as { connection?: { serverProperties?: { product?: string; version?: string } } };
  const { product = 'a broker', version = 'unknown' } = model.connection?.serverProperties ?? {};
  return { product, version };
}

const unusable = (kind: string, url: string, cause: unknown): Error =>
  new Error(`${shown(url)} cannot be used as ${kind}: ${maskAddresses(messageOf(cause))}`, { cause });

const shown = (url: string): string => maskAddresses(url);

function databaseOf(url: string, name: string) {
  const database = { host: url, db_name: name, connection_timeout: CONNECT_MS };
  return loadConfig({ environment: {}, overrides: { database } }).config.database;
}

/** Removes what tests with the names in a file have on the servers. @returns the number of names */
export async function removeLeftOvers({ mongoUrl, amqpUrl }: NamedServers, file: string): Promise<number> {
  const names = readFileSync(file, 'utf8')
    .split('\n')
    .filter((name) => name !== '');
  for (const name of names) {
    await dropDatabase(databaseOf(mongoUrl, name));
    await dropQueues(amqpUrl, name);
  }
  return names.length;
}
