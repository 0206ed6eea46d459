import { isFault, type Micros } from '@switchyard/base';
import type { ElectionRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** Roles that one process at a time may hold. */
export interface ElectionRepository {
  get(office: string): Promise<ElectionRecord | undefined>;
  /**
   * Takes a role by compare-and-set of the term.
   * @param known the record as last read, undefined if the role was never held
   * @returns undefined if another process was faster
   */
  take(
    office: string,
    known: ElectionRecord | undefined,
    holder: string,
    now: Micros,
  ): Promise<ElectionRecord | undefined>;
  /** Gives up a role that is still held in this term. */
  release(office: string, term: number): Promise<void>;
}

export const electionRepository = (elections: Collection<ElectionRecord>): ElectionRepository => ({
  get: (office) => elections.get(office),
  async take(office, known, holder, now) {
    const term = (known?.term ?? 0) + 1;
    if (known) return elections.change({ _id: office, term: known.term }, { set: { holder, term, since: now } });
    try {
      return await elections.insert({ _id: office, holder, term, since: now });
    } catch (error) {
      if (isFault(error) && error.code === 'storage.duplicate') return undefined;
      throw error;
    }
  },
  async release(office, term) {
    await elections.change({ _id: office, term }, { unset: ['holder'] });
  },
});
