import { fault, isFault, type Micros } from '@switchyard/base';
import type { KeyRotationRecord, RotationStage } from '@switchyard/model';
import type { Collection } from '../collection';
import type { RecordChange } from '../filter';

/** The last rotation of keys. */
export interface KeyRotationRepository {
  last(): Promise<KeyRotationRecord | undefined>;
  /** Begins a rotation. @returns the one that is under way, if there is one */
  begin(user: string, now: Micros): Promise<KeyRotationRecord>;
  /**
   * Requests the removal of the former keys. @param abandons remove them even if values that were encrypted with them
   * cannot be decrypted
   * @throws Fault `storage.no-rotation`, `storage.not-resealed`
   */
  retire(user: string, abandons?: boolean): Promise<KeyRotationRecord>;
  /** Compare-and-set. @returns undefined if the record has changed */
  change(
    record: KeyRotationRecord,
    change: Pick<RecordChange<KeyRotationRecord>, 'set' | 'unset'>,
  ): Promise<KeyRotationRecord | undefined>;
}

const LAST = 'last';
/** Stages in which the rotation has nothing left to do. */
const SETTLED: readonly RotationStage[] = ['resealed', 'retired'];

export function keyRotationRepository(rotations: Collection<KeyRotationRecord>): KeyRotationRepository {
  const last = () => rotations.get(LAST);
  const change: KeyRotationRepository['change'] = ({ _id, revision }, { set, unset }) =>
    rotations.change({ _id, revision }, { set: { ...set, revision: revision + 1 }, ...(unset && { unset }) });
  return {
    last,
    change,
    async begin(user, now) {
      for (;;) {
        const before = await last();
        if (before && !SETTLED.includes(before.stage)) return before;
        const revision = (before?.revision ?? 0) + 1;
        const record: KeyRotationRecord = {
          ...{ _id: LAST, revision, stage: 'adding', keys: {}, user, found: 0, resealed: 0 },
          ...{ lost: [], waiting_for: [], started_at: now },
        };
        if (before ? await replaced(rotations, record, before) : await inserted(rotations, record)) return record;
      }
    },
    async retire(user, abandons = false) {
      for (;;) {
        const before = await last();
        if (!before) throw fault('storage.no-rotation', {});
        if (before.stage === 'retired' || (before.stage === 'retiring' && (before.abandons ?? false) === abandons))
          return before;
        if (before.stage !== 'resealed' && before.stage !== 'retiring')
          throw fault('storage.not-resealed', { stage: before.stage });
        const set = { stage: 'retiring', user, found: 0, lost: [], damaged: [], abandons } as const;
        const after = await change(before, { set, unset: ['position', 'problem', 'ended_at'] });
        if (after) return after;
      }
    },
  };
}

const replaced = async (
  rotations: Collection<KeyRotationRecord>,
  record: KeyRotationRecord,
  { _id, revision }: KeyRotationRecord,
) => (await rotations.swap({ _id, revision }, record)) !== undefined;

async function inserted(rotations: Collection<KeyRotationRecord>, record: KeyRotationRecord): Promise<boolean> {
  try {
    await rotations.insert(record);
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'storage.duplicate') return false;
    throw error;
  }
}
