import type { Connection, Model } from 'mongoose';
import { aggregatesContract } from './aggregates';
import { bulkWritesContract } from './bulk-writes';
import { filtersContract } from './filters';
import { findAndModifyContract } from './find-and-modify';
import { indexesContract } from './indexes';
import { insertsContract } from './inserts';
import { pagingContract } from './paging';
import { projectionsContract } from './projections';
import { updatesContract } from './updates';
import { valuesContract } from './values';
import { newModel, storeSubject, type Row } from './subject';

export interface OpenedStore {
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * What the repositories may expect of a store, whichever driver is below mongoose. Everything here is the behaviour of
 * a MongoDB server. Each test has a collection of its own.
 */
export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store contract on ${name}`, () => {
    let store: OpenedStore;
    let model: Model<Row>;
    const subject = storeSubject(() => ({ connection: store.connection, model }));

    beforeAll(async () => {
      store = await open();
    });

    afterAll(async () => {
      await store.close();
    });

    beforeEach(() => {
      model = newModel(store.connection);
    });

    afterEach(async () => {
      await model.collection.drop().catch(() => {});
    });

    valuesContract(subject);
    insertsContract(subject);
    filtersContract(subject);
    pagingContract(subject);
    projectionsContract(subject);
    updatesContract(subject);
    findAndModifyContract(subject);
    indexesContract(subject);
    bulkWritesContract(subject);
    aggregatesContract(subject);
  });
}
