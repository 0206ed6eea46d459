import type { Store } from '@switchyard/storage';
import { fillConfig } from './fill-config';
import { renderConfig, type Lookup, type RenderedConfig } from './render-config';

export interface PackConfigs {
  /**
   * The configuration of a pack as its actions and sensors get it: what is stored, with the defaults of its schema, rendered with
   * what `lookup` reads. Empty for a pack that has none. A change counts at once, whichever process made it.
   * @throws Fault `pack.config`, `pack.config-value`, `storage.config`
   */
  of(pack: string, lookup: Lookup): Promise<RenderedConfig>;
}

export const createPackConfigs = ({
  configs,
  configSchemas,
}: Pick<Store, 'configs' | 'configSchemas'>): PackConfigs => ({
  async of(pack, lookup) {
    const [config, schema] = await Promise.all([configs.byKey(pack), configSchemas.byKey(pack)]);
    const attributes = schema?.attributes ?? {};
    return renderConfig(pack, fillConfig(config?.values ?? {}, attributes), attributes, lookup);
  },
});
