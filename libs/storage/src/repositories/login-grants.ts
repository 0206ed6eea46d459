import type { LoginGrantRecord } from '@switchyard/model';
import type { Collection } from '../collection';

export interface LoginGrantRepository {
  /** @throws Fault `storage.duplicate` if there is one with this id */
  insert(record: LoginGrantRecord): Promise<LoginGrantRecord>;
  /**
   * Returns a grant to the first caller and removes it. @param now an expired grant counts as absent before the store
   * has removed it
   */
  take(id: string, now: Date): Promise<LoginGrantRecord | undefined>;
}

export const loginGrantRepository = (grants: Collection<LoginGrantRecord>): LoginGrantRepository => ({
  insert: (record) => grants.insert(record),
  async take(id, now) {
    const found = await grants.get(id);
    return found && (await grants.remove(id)) && found.expires > now ? found : undefined;
  },
});
