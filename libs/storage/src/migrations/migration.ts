import type { StoreCollections } from '../collections';

/**
 * A change of what is stored. Programs of the last version can run until it is complete.
 *
 * 1. `expand` only adds what programs of the last version ignore. It runs at the start of a process.
 * 2. `migrate` brings records to the new form in batches, while programs of both versions read both forms.
 * 3. `contract` ends the use of the old form: programs of the last version can no longer open the store.
 *
 * Each of them may run again, so an interruption costs at most one batch.
 */
export type Migration = ExpandMigration | RecordMigration | ContractMigration;

interface NamedMigration {
  readonly name: string;
  readonly purpose: string;
}

export interface ExpandMigration extends NamedMigration {
  readonly phase: 'expand';
  /** The names of what has to be added. */
  missing(collections: StoreCollections): Promise<string[]>;
  run(collections: StoreCollections): Promise<void>;
}

/** The next records of a collection, in the order of their ids, which begin with the time. */
export interface MigratedBatch {
  /** The id of the last one; undefined after the last record of the collection. */
  readonly last: string | undefined;
  readonly changed: number;
}

export interface RecordMigration extends NamedMigration {
  readonly phase: 'migrate';
  /** @param after the id of the last record of the batch before */
  batch(collections: StoreCollections, after: string): Promise<MigratedBatch>;
}

export interface ContractMigration extends NamedMigration {
  readonly phase: 'contract';
  /** The schema version of the store from then on. */
  readonly schema: number;
}
