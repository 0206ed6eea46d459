/** The configuration of the pack `packs` names proxies by these, and so may environment variables. */
export const PROXY_NAMES = ['http_proxy', 'https_proxy', 'no_proxy', 'proxy_ca_bundle_path'] as const;

/** Environment variables that send pip through proxies. Of texts that are empty or missing there are none. */
export function proxyEnvironment(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of PROXY_NAMES) {
    const value = values[name];
    if (typeof value !== 'string' || value === '') continue;
    if (name === 'proxy_ca_bundle_path') variables['PIP_CERT'] = value;
    else Object.assign(variables, { [name]: value, [name.toUpperCase()]: value });
  }
  return variables;
}
