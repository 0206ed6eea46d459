import { fault, messageOf } from '@switchyard/base';
import type { ConfigRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import type { Sealer } from '../sealing/sealer';
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
 * by id and pack. What reads throws Fault `storage.config` where a key is missing; `upsert` and `removeOf` need no old one.
 */
export function configRepository(
  records: Collection<SealedConfig>,
  sealer: Sealer,
): PackRecordRepository<ConfigRecord> {
  const sealed = packRecordRepository(records);
  const open = (record: SealedConfig): ConfigRecord => opened(record, sealer);
  const ifThere = (record: SealedConfig | undefined) => record && open(record);
  const seal = <T extends Pick<ConfigRecord, 'values'>>({ values, ...rest }: T) => ({
    ...rest,
    sealed: sealer.seal(JSON.stringify(values)),
  });
  return {
    get: async (id) => ifThere(await sealed.get(id)),
    byKey: async (pack) => ifThere(await sealed.byKey(pack)),
    find: async (packOrId) => ifThere(await sealed.find(packOrId)),
    list: async (page) => (await sealed.list(page)).map(open),
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
    return { _id, pack, values: JSON.parse(sealer.open(sealed)) as ConfigRecord['values'] };
  } catch (error) {
    throw fault('storage.config', { pack, text: messageOf(error) }, { cause: error });
  }
}
