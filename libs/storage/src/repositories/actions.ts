import type { ActionRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { where } from '../filter';
import { resourceRepository, type ResourceRepository } from './resources';

/** Which file an action comes from, and what the file held when it was registered. */
export type ActionOrigin = Pick<ActionRecord, '_id' | 'ref' | 'pack' | 'name' | 'metadata_file' | 'content_hash'>;

/** Actions. Packs may have thousands, so the registrar reads what it needs of them, and inserts many at once. */
export interface ActionRepository extends ResourceRepository<ActionRecord> {
  origins(pack: string): Promise<ActionOrigin[]>;
  /** @throws Fault `storage.duplicate`; the records before the duplicate may have been inserted */
  insertAll(records: readonly ActionRecord[]): Promise<void>;
}

export const actionRepository = (actions: Collection<ActionRecord>): ActionRepository => ({
  ...resourceRepository(actions, 'ref'),
  origins: (pack) =>
    actions.list({
      filter: where<ActionRecord>('pack', pack),
      fields: ['ref', 'pack', 'name', 'metadata_file', 'content_hash'],
      once: true,
    }),
  insertAll: (records) => actions.insertMany(records, { once: true }),
});
