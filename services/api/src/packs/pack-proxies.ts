import { createPackConfigs, PROXY_NAMES, type ProxyVariables } from '@switchyard/content';
import type { ApiDependencies } from '../api-dependencies';

/** Proxies for downloads of packs: those of the environment, else those in the configuration of the pack `packs`. */
export async function packProxies({
  store,
  datastore,
  environment = {},
}: Pick<ApiDependencies, 'store' | 'datastore' | 'environment'>): Promise<ProxyVariables> {
  const { values: configured } = await createPackConfigs(store).of('packs', datastore.lookupFor({}));
  const found: Record<string, string> = {};
  for (const name of PROXY_NAMES) {
    const value = environment[name] || environment[name.toUpperCase()] || configured[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
  }
  return found;
}
