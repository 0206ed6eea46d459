import type { Database } from '../engine/database';
import { unsupported } from '../errors';
import type { Document } from '../values/document';
import { EmbeddedCollection } from './embedded-collection';
import { checkOptions } from './options';

/** The methods of the server driver's `Db` that mongoose uses. */
export class EmbeddedDb {
  constructor(private readonly database: Database) {}

  get databaseName(): string {
    return this.database.name;
  }

  collection(name: string): EmbeddedCollection {
    return new EmbeddedCollection(this.database, name);
  }

  async createCollection(name: string, options: object = {}): Promise<EmbeddedCollection> {
    checkOptions('createCollection', options);
    await this.database.write(() => void this.database.collection(name).ensure());
    return this.collection(name);
  }

  async dropCollection(name: string): Promise<boolean> {
    return this.collection(name).drop();
  }

  async dropDatabase(): Promise<boolean> {
    for (const name of this.database.collectionNames()) await this.dropCollection(name);
    return true;
  }

  listCollections(): { toArray(): Promise<Document[]> } {
    return {
      toArray: async () => this.database.collectionNames().map((name) => ({ name, type: 'collection', options: {} })),
    };
  }

  async collections(): Promise<EmbeddedCollection[]> {
    return this.database.collectionNames().map((name) => this.collection(name));
  }

  /** Responds to `ping`. */
  async command(command: Document): Promise<Document> {
    if ('ping' in command) return { ok: 1 };
    throw unsupported(`the command "${Object.keys(command)[0] ?? ''}"`);
  }

  admin(): {
    ping(): Promise<Document>;
    command(command: Document): Promise<Document>;
    listDatabases(): Promise<Document>;
  } {
    return {
      ping: () => this.command({ ping: 1 }),
      command: (command) => this.command(command),
      listDatabases: async () => ({ databases: [{ name: this.databaseName }], ok: 1 }),
    };
  }

  aggregate(): never {
    throw unsupported('Db.aggregate()');
  }

  watch(): never {
    throw unsupported('Db.watch()');
  }
}
