import { fault, isFault, messageOf } from '@switchyard/base';
import type { ConfigRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import type { Sealer } from '../sealing/sealer';
import { mapped } from './resources';
import { packRecordRepository, type PackRecordRepository } from './pack-records';

/** As a configuration lies in the store. */
export interface SealedConfig extends Pick<ConfigRecord, '_id' | 'pack'> {
  /** The values, encrypted JSON. */
  sealed?: string;
  /** In place of that in records that were written before values were sealed. */
  values?: ConfigRecord['values'];
}

/**
 * Configurations of packs, whose values are sealed on the way into the store and opened on the way out. They can be filtered
 * by id and pack. What reads one throws Fault `storage.config` where its key is missing, so that nothing runs without its
 * configuration; lists name the problem at the record. `replace`, `upsert` and `removeOf` need no old key.
 */
export function configRepository(
  records: Collection<SealedConfig>,
  sealer: Sealer,
): PackRecordRepository<ConfigRecord> {
  const sealed = packRecordRepository(records);
  const open = (record: SealedConfig): ConfigRecord => opened(record, sealer);
  const ifThere = (record: SealedConfig | undefined) => record && open(record);
  const seal = <T extends Pick<ConfigRecord, 'values' | 'problem'>>({ values, problem: _, ...rest }: T) => ({
    ...rest,
    sealed: sealer.seal(JSON.stringify(values)),
  });
  return {
    get: async (id) => ifThere(await sealed.get(id)),
    byKey: async (pack) => ifThere(await sealed.byKey(pack)),
    find: async (packOrId) => ifThere(await sealed.find(packOrId)),
    list: async (page) => (await sealed.list(page)).map((record) => openedOrNot(record, sealer)),
    each: (page) => mapped(sealed.each(page), (record) => openedOrNot(record, sealer)),
    count: sealed.count,
    insert: async (record) => open(await sealed.insert(seal(record))),
    replace: (record) => sealed.replace(seal(record)),
    upsert: async (record) => open(await sealed.upsert(seal(record))),
    remove: sealed.remove,
    removeOf: sealed.removeOf,
  };
}

function opened({ _id, pack, sealed, values = {} }: SealedConfig, sealer: Sealer): ConfigRecord {
  if (sealed === undefined) return { _id, pack, values };
  try {
    return { _id, pack, values: parsed(sealer.open(sealed)) };
  } catch (error) {
    throw fault('storage.config', { pack, text: messageOf(error) }, { cause: error });
  }
}

/** The error of a parser quotes what it reads, which may be a secret. */
function parsed(text: string): ConfigRecord['values'] {
  try {
    return JSON.parse(text) as ConfigRecord['values'];
  } catch {
    throw new Error('the stored text is not JSON');
  }
}

function openedOrNot(record: SealedConfig, sealer: Sealer): ConfigRecord {
  try {
    return opened(record, sealer);
  } catch (error) {
    if (!isFault(error)) throw error;
    return { _id: record._id, pack: record.pack, values: {}, problem: error.message };
  }
}
