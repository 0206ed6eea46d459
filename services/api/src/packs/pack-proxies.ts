import { createPackConfigs, PROXY_NAMES, type ProxySettings } from '@switchyard/content';
import type { ApiDependencies } from '../api-dependencies';

/** Proxies for what is fetched for packs: those of the environment, else those in the configuration of the pack `packs`. */
export async function packProxies({
  store,
  datastore,
  environment = {},
}: Pick<ApiDependencies, 'store' | 'datastore' | 'environment'>): Promise<ProxySettings> {
  const { values: configured } = await createPackConfigs(store).of('packs', datastore.lookupFor({}));
  const found: Record<string, string> = {};
  for (const name of PROXY_NAMES) {
    const value = environment[name] || environment[name.toUpperCase()] || configured[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
  }
  return found;
}
