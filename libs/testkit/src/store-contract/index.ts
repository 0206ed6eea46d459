import type { Connection, Model } from 'mongoose';
import { aggregatesContract } from './aggregates';
import { filtersContract } from './filters';
import { findAndModifyContract } from './find-and-modify';
import { indexesContract } from './indexes';
import { bulkWritesContract, insertsContract } from './inserts';
import { pagingContract, projectionsContract } from './reads';
import { updatesContract } from './updates';
import { valuesContract } from './values';
import { newModel, storeSubject, type Row } from './subject';

export interface ContractStore {
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * Tests what the repositories expect of a store, whichever driver mongoose uses. Everything here is the behaviour of
 * a MongoDB server. Each test has its own collection.
 */
export function storeContract(name: string, open: () => Promise<ContractStore>): void {
  describe(`the store contract on ${name}`, () => {
    let store: ContractStore;
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
