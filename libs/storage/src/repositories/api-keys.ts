import type { ApiKeyRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { anyFilter, atMost } from '../filter';
import { resourceRepository, type ResourceRepository } from './resources';

export interface ApiKeyRepository extends ResourceRepository<ApiKeyRecord> {
  /**
   * Writes when a key was last used, and nothing else: the key may be changed at the same time.
   * @param unlessSince does nothing for a key that was used since then
   */
  noteUse(id: string, at: number, unlessSince: number): Promise<void>;
}

export const apiKeyRepository = (keys: Collection<ApiKeyRecord>): ApiKeyRepository => ({
  ...resourceRepository(keys, 'key_hash'),
  async noteUse(id, at, unlessSince) {
    const isDue = anyFilter<ApiKeyRecord>([{ last_used_at: null }, { last_used_at: atMost(unlessSince) }]);
    await keys.change({ _id: id, ...isDue }, { set: { last_used_at: at } });
  },
});
