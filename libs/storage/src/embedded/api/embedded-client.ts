import type { Database } from '../engine/database';
import { unsupported } from '../errors';
import { EmbeddedDb } from './embedded-db';

/** The methods of `MongoClient` that mongoose calls. There is one database, and there are no sessions. */
export class EmbeddedClient {
  constructor(readonly database: Database) {}

  db(name?: string): EmbeddedDb {
    if (name !== undefined && name !== this.database.name) throw unsupported(`a second database ("${name}")`);
    return new EmbeddedDb(this.database);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  startSession(): never {
    throw unsupported('sessions and transactions');
  }

  async withSession(): Promise<never> {
    throw unsupported('sessions and transactions');
  }

  async bulkWrite(): Promise<never> {
    throw unsupported('a bulk write over several collections');
  }

  watch(): never {
    throw unsupported('change streams');
  }
}
