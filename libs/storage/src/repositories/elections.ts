import { isFault, type Micros } from '@switchyard/base';
import type { ElectionRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** Leaderships: one process at a time may hold each of them. */
export interface ElectionRepository {
  get(leadership: string): Promise<ElectionRecord | undefined>;
  /** All leaderships that were ever held. There are a handful. */
  list(): Promise<ElectionRecord[]>;
  /**
   * Takes a leadership by compare-and-set of the term.
   * @param known the record as last read, undefined if it was never held
   * @returns undefined if another process was faster
   */
  take(
    leadership: string,
    known: ElectionRecord | undefined,
    holder: string,
    now: Micros,
  ): Promise<ElectionRecord | undefined>;
  /** Releases a leadership that is still held in this term. */
  release(leadership: string, term: number): Promise<void>;
}

export const electionRepository = (elections: Collection<ElectionRecord>): ElectionRepository => ({
  get: (leadership) => elections.get(leadership),
  list: () => elections.list(),
  async take(leadership, known, holder, now) {
    const term = (known?.term ?? 0) + 1;
    if (known) return elections.change({ _id: leadership, term: known.term }, { set: { holder, term, since: now } });
    try {
      return await elections.insert({ _id: leadership, holder, term, since: now });
    } catch (error) {
      if (isFault(error) && error.code === 'storage.duplicate') return undefined;
      throw error;
    }
  },
  async release(leadership, term) {
    await elections.change({ _id: leadership, term }, { unset: ['holder'] });
  },
});
