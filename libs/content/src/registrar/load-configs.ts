import type { ContentFailure } from '../loaders/content-failure';
import { loadConfigFile } from '../loaders/load-config-file';
import type { LoadedPack } from './load-pack';

export interface LoadedConfig {
  readonly pack: string;
  readonly values: Record<string, unknown>;
}

/**
 * Reads and checks the configurations of packs. A bad one does not keep its pack from being registered: it is the
 * administrator's, and what was stored before stays in force.
 * @param directory where `<pack>.yaml` lies @param stored the attributes of packs whose schema has no file any more
 */
export async function loadConfigs(
  directory: string,
  packs: readonly LoadedPack[],
  stored: ReadonlyMap<string, Record<string, unknown>>,
): Promise<{ configs: LoadedConfig[]; failures: ContentFailure[] }> {
  const configs: LoadedConfig[] = [];
  const failures: ContentFailure[] = [];
  for (const { name: pack, configSchema, failures: others } of packs) {
    const loaded = await loadConfigFile(directory, pack, configSchema ?? stored.get(pack));
    if ('failures' in loaded) failures.push(...loaded.failures);
    // Without its pack, a configuration may not fit what is there.
    else if (loaded.values && others.length === 0) configs.push({ pack, values: loaded.values });
  }
  return { configs, failures };
}
