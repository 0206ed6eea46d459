import { findPackDirectory } from '../packs/find-packs';
import { resolvePackConfig, type PackConfigDeps } from './resolve-pack-config';

export interface PackConfigs {
  /**
   * The configuration of a pack, its templates rendered with what `lookup` reads; empty for a pack that has none.
   * @throws Fault `pack.config`
   */
  of(pack: string, lookup: PackConfigDeps['lookup']): Promise<Record<string, unknown>>;
}

/** @param roots directories of packs; the first that holds a pack wins */
export function createPackConfigs(configs: string, roots: readonly string[]): PackConfigs {
  return {
    of: async (pack, lookup) => {
      const directory = await findPackDirectory(roots, pack);
      return resolvePackConfig({ configs, lookup }, pack, directory);
    },
  };
}
