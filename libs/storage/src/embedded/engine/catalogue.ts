import { mongo } from 'mongoose';
import type { IndexRecord } from '../indexes/index-definition';
import { KeyWriter } from '../values/key-writer';
import type { StoreEnvironment } from './environment';

/** The catalogue entry of a collection. */
export interface CollectionRecord {
  readonly name: string;
  /** The key space of its documents. */
  readonly space: number;
  readonly indexes: readonly IndexRecord[];
}

/** Key space 0 contains the catalogue itself; its empty name contains the number of the last key space. */
const CATALOGUE_SPACE = 0;
const writer = new KeyWriter();
const keyOf = (name: string): Buffer => writer.begin(CATALOGUE_SPACE).value(name).take();

/** The list of collections and indexes in the store. Write it only inside `Environment.transact`. */
export class Catalogue {
  constructor(private readonly environment: StoreEnvironment) {}

  read(name: string): CollectionRecord | undefined {
    const bytes = this.environment.get(keyOf(name));
    return bytes && (mongo.BSON.deserialize(bytes) as CollectionRecord);
  }

  write(record: CollectionRecord): void {
    this.environment.put(keyOf(record.name), Buffer.from(mongo.BSON.serialize(record)));
  }

  remove(name: string): void {
    this.environment.remove(keyOf(name));
  }

  names(): string[] {
    const start = writer.begin(CATALOGUE_SPACE).take();
    const end = writer.begin(CATALOGUE_SPACE + 1).take();
    const records = [...this.environment.entries({ start, end })].map(({ value }) => mongo.BSON.deserialize(value));
    return records.map((record) => String(record['name'])).filter((name) => name !== '');
  }

  /** Allocates a key space that was never used before. */
  newSpace(): number {
    const bytes = this.environment.get(keyOf(''));
    const space = (bytes ? Number(mongo.BSON.deserialize(bytes)['space']) : CATALOGUE_SPACE) + 1;
    this.environment.put(keyOf(''), Buffer.from(mongo.BSON.serialize({ name: '', space })));
    return space;
  }
}
