import { isFault } from '@switchyard/base';
import type { LoginFailureRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { above, atMost } from '../filter';

/** Failed logins in a row. A record that has expired counts as absent before the store has removed it. */
export interface LoginFailureRepository {
  get(id: string, now: Date): Promise<LoginFailureRecord | undefined>;
  /** Counts one more, in one write. */
  add(id: string, now: Date, expires: Date): Promise<void>;
  remove(id: string): Promise<void>;
}

export const loginFailureRepository = (failures: Collection<LoginFailureRecord>): LoginFailureRepository => ({
  async get(id, now) {
    const found = await failures.get(id);
    return found && found.expires > now ? found : undefined;
  },
  async add(_id, now, expires) {
    const inserted = async () => {
      try {
        return await failures.insert({ _id, count: 1, expires });
      } catch (error) {
        if (isFault(error) && error.code === 'storage.duplicate') return undefined;
        throw error;
      }
    };
    const counted = () => failures.change({ _id, expires: above(now) }, { inc: { count: 1 }, set: { expires } });
    const restarted = () => failures.change({ _id, expires: atMost(now) }, { set: { count: 1, expires } });
    while (!((await counted()) ?? (await inserted()) ?? (await restarted())));
  },
  async remove(id) {
    await failures.remove(id);
  },
});
