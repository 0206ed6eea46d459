import type { ActionRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { where } from '../filter';
import { remembering } from './remembering';
import { resourceRepository, type ResourceRepository } from './resources';

/** The file of an action, and a hash of its content when it was registered. */
export type ActionOrigin = Pick<ActionRecord, '_id' | 'ref' | 'pack' | 'name' | 'metadata_file' | 'content_hash'>;

/** Actions. Packs may have thousands, so the registrar reads what it needs of them, and inserts many at once. */
export interface ActionRepository extends ResourceRepository<ActionRecord> {
  origins(pack: string): Promise<ActionOrigin[]>;
  /** @throws Fault `storage.duplicate`; the records before the duplicate may have been inserted */
  insertAll(records: readonly ActionRecord[]): Promise<void>;
  /**
   * An action by its reference, for a request to run it. A change by this process counts at once, a change by another process after at
   * most `REQUESTED_FRESH_MS` milliseconds.
   */
  requested(ref: string): Promise<ActionRecord | undefined>;
}

/** Short enough that people do not notice it, and at a hundred requests per second only one in twenty reads the action. */
export const REQUESTED_FRESH_MS = 200;

export function actionRepository(actions: Collection<ActionRecord>): ActionRepository {
  const repository = resourceRepository(actions, 'ref');
  const { byKey: requested, ...changing } = remembering(repository, REQUESTED_FRESH_MS);
  return {
    ...changing,
    byKey: repository.byKey,
    find: repository.find,
    requested,
    origins: (pack) =>
      actions.list({
        filter: where<ActionRecord>('pack', pack),
        fields: ['ref', 'pack', 'name', 'metadata_file', 'content_hash'],
        once: true,
      }),
    insertAll: (records) => actions.insertMany(records, { once: true }),
  };
}
