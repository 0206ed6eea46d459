import { randomUUID } from 'node:crypto';
import { Schema, type Connection, type Model } from 'mongoose';

export type SubjectFields = Record<string, unknown>;
export type Row = SubjectFields & { _id: unknown };

/** What the contract's tests use: a separate collection for each test, and short ways to read and write it. */
export interface StoreSubject {
  readonly connection: Connection;
  readonly model: Model<Row>;
  insert(...rows: SubjectFields[]): Promise<unknown>;
  /** Ids of the documents that match a filter, sorted by id unless the options say otherwise. */
  ids(filter: SubjectFields, options?: SubjectFields): Promise<unknown[]>;
  one(id: unknown): Promise<SubjectFields | null>;
  update(
    id: unknown,
    change: unknown,
    options?: SubjectFields,
  ): Promise<{ matchedCount: number; modifiedCount: number }>;
}

export function storeSubject(parts: () => Pick<StoreSubject, 'connection' | 'model'>): StoreSubject {
  const collection = () => parts().model.collection;
  return {
    get connection() {
      return parts().connection;
    },
    get model() {
      return parts().model;
    },
    insert: (...rows) => collection().insertMany(rows),
    async ids(filter, options = {}) {
      const found = await collection()
        .find(filter as never, { sort: { _id: 1 }, ...options } as never)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    one: (id) => collection().findOne({ _id: id } as never),
    update: (id, change, options = {}) => collection().updateOne({ _id: id } as never, change as never, options),
  };
}

export function newModel(connection: Connection, schema?: Schema): Model<Row> {
  const name = `contract_${randomUUID().replaceAll('-', '')}`;
  const open = new Schema(
    { _id: Schema.Types.Mixed },
    { strict: false, versionKey: false, autoIndex: false, autoCreate: false },
  );
  return connection.model(name, schema ?? open, name) as unknown as Model<Row>;
}
