import { fault, isFault, messageOf } from '@switchyard/base';
import type { ConfigRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import type { Sealer } from '../sealing/sealer';
import type { RecordPage } from '../filter';
import { mapped } from './resources';
import { packRecordRepository, type PackRecordRepository } from './pack-records';

/** The stored form of a configuration. */
export interface SealedConfig extends Pick<ConfigRecord, '_id' | 'pack'> {
  /** The values, encrypted JSON. */
  sealed?: string;
  /** Replaces `sealed` in records that are older than the encryption of values. */
  values?: ConfigRecord['values'];
}

/**
 * Configurations of packs. Their values are sealed on the way into the store and opened on the way out. Filters may use id and
 * pack. Reading one whose key is missing throws Fault `storage.config`, so that nothing runs without its configuration; lists
 * give the problem with the record. `replace`, `upsert` and `removeOf` need no old key.
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
    list: async (page) => (await sealed.list(asStored(page))).map((record) => openedOrNot(record, sealer)),
    each: (page) => mapped(sealed.each(asStored(page)), (record) => openedOrNot(record, sealer)),
    count: (filter) => sealed.count(filter),
    insert: async (record) => open(await sealed.insert(seal(record))),
    replace: (record) => sealed.replace(seal(record)),
    upsert: async (record) => open(await sealed.upsert(seal(record))),
    remove: sealed.remove,
    removeOf: sealed.removeOf,
  };
}

/** Filters may use the fields of both forms: id and pack. */
const asStored = (page: RecordPage<ConfigRecord> | undefined) => page as RecordPage<SealedConfig> | undefined;

function opened({ _id, pack, sealed, values = {} }: SealedConfig, sealer: Sealer): ConfigRecord {
  if (sealed === undefined) return { _id, pack, values };
  try {
    return { _id, pack, values: parsed(sealer.open(sealed)) };
  } catch (error) {
    throw fault('storage.config', { pack, text: messageOf(error) }, { cause: error });
  }
}

/** A parser error quotes its input, which may be a secret. */
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
