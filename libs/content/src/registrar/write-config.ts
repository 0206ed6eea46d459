import { isFault } from '@switchyard/base';
import type { Store } from '@switchyard/storage';
import type { LoadedConfig } from './load-configs';
import { writeRecord } from './write-record';

/** Stores what a file says. A configuration that cannot be opened, as its key is gone, is replaced. */
export async function writeConfig({ configs }: Pick<Store, 'configs'>, { pack, values }: LoadedConfig): Promise<void> {
  try {
    await writeRecord(configs, pack, { pack, values }, await configs.byKey(pack));
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.config') throw error;
    await configs.upsert({ pack, values });
  }
}
