/** How to create virtual environments. Names in parentheses are options of the section `actionrunner`. */
export interface VirtualenvSettings {
  /** Contains one environment per pack, `<pack>`. */
  readonly directory: string;
  /** The interpreter of the environments (`python_binary`). */
  readonly python: string;
  /** The program that creates them (`virtualenv_binary`). If it does not exist, the module `venv` is used. */
  readonly virtualenv: string;
  /** Options of that program (`virtualenv_opts`). */
  readonly virtualenvOptions: readonly string[];
  /** Options of `pip install` (`pip_opts`). */
  readonly pipOptions: readonly string[];
  /** Directory of the pip that environments created by the module `venv` share. */
  readonly tools: string;
  /** The program that installs packages (`python.installer`). */
  readonly installer: 'auto' | 'pip' | 'uv';
  /** Directory of downloaded and built packages (`python.package_cache`). */
  readonly packageCache: string;
  /** Directory of wheels to install from without an index (`python.wheels`). */
  readonly wheels: string | null;
  /** Aborts the programs. */
  readonly abort?: AbortSignal;
  /** Environment variables of the programs. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Receives the output of the programs line by line, with newlines and with credentials in URLs masked. */
export type OnOutput = (line: string) => void;

/** Names of proxy settings in the configuration of the pack `packs` and in the environment. */
export const PROXY_NAMES = ['http_proxy', 'https_proxy', 'no_proxy', 'proxy_ca_bundle_path'] as const;

/** Returns environment variables that make pip use the proxies. Empty and missing values are skipped. */
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
