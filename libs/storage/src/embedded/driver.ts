import type { Connection } from 'mongoose';
import { EmbeddedClient } from './api/embedded-client';
import { Database, type EmbeddedOptions } from './engine/database';
import { unsupported } from './errors';
import { nativeDriver } from './native-driver';

const CONNECTING = 2;
const DISCONNECTED = 0;
const DATABASE = 'svc';

/** The internals of mongoose's connection class; the published types lack some of them. */
interface Internals {
  readyState: number;
  config: Record<string, unknown>;
  client: EmbeddedClient;
  db: unknown;
  name: string;
  host: string;
  collections: Record<string, { onOpen(): void }>;
  onOpen(): void;
}

/** Settings of mongoose itself that a connection may carry. */
const connectionSettings = [
  'autoIndex',
  'autoCreate',
  'bufferCommands',
  'bufferTimeoutMS',
  'sanitizeFilter',
  'autoSearchIndex',
];

/** A driver for `mongoose.setDriver`. */
export interface EmbeddedDriver {
  readonly Connection: unknown;
  readonly Collection: unknown;
  readonly BulkWriteResult: unknown;
  readonly ClientEncryption: unknown;
}

/**
 * Creates a mongoose driver that keeps documents in a directory. Everything above the driver is mongoose's own code: its
 * connections and collections call this store instead of a MongoDB client. Each connection opens the directory, so there can be
 * only one at a time. The address given to `connect` is ignored.
 */
export function createEmbeddedDriver(options: EmbeddedOptions): EmbeddedDriver {
  class EmbeddedConnection extends nativeDriver.Connection {
    async createClient(_address: string, given: Record<string, unknown> = {}): Promise<this> {
      const connection = this as unknown as Internals;
      applySettings(connection, given);
      connection.readyState = CONNECTING;
      try {
        attach(connection, new EmbeddedClient(await Database.open(DATABASE, options)));
      } catch (error) {
        connection.readyState = DISCONNECTED;
        throw error;
      }
      return this;
    }
  }
  const { Collection, BulkWriteResult, ClientEncryption } = nativeDriver;
  return { Connection: EmbeddedConnection, Collection, BulkWriteResult, ClientEncryption };
}

function applySettings(connection: Internals, given: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(given)) {
    if (name === 'config') Object.assign(connection.config, value);
    else if (connectionSettings.includes(name)) connection.config[name] = value;
    else if (value !== undefined && value !== null && name !== 'driverInfo')
      throw unsupported(`the connection option "${name}"`);
  }
}

function attach(connection: Internals, client: EmbeddedClient): void {
  connection.client = client;
  connection.db = client.db();
  connection.name = client.database.name;
  connection.host = client.database.directory;
  connection.onOpen();
  for (const collection of Object.values(connection.collections)) collection.onOpen();
}

/** The store behind a connection of this driver. */
export function databaseOf(connection: Connection): Database {
  const client: unknown = connection.getClient();
  if (client instanceof EmbeddedClient) return client.database;
  throw new TypeError('This connection is not one of the embedded driver');
}
