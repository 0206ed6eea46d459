import type { Setting } from './setting';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings `SVC_<SECTION>__<OPTION>` of an environment; `ST2_` works too and yields to `SVC_`. */
export function readEnvironment(environment: Environment): Setting[] {
  return ['ST2', 'SVC'].flatMap((prefix) => withPrefix(environment, prefix));
}

/** Path of the configuration file that the environment names. */
export const configPathOf = (environment: Environment): string | undefined =>
  environment['SVC_CONFIG_PATH'] || environment['ST2_CONFIG_PATH'] || undefined;

function withPrefix(environment: Environment, prefix: string): Setting[] {
  const pattern = new RegExp(`^${prefix}_([A-Z0-9_]+?)__([A-Z0-9_]+)$`);
  return Object.entries(environment).flatMap(([name, value]) => {
    const [, section, option] = pattern.exec(name) ?? [];
    return section && option && value !== undefined
      ? [{ section, option, value, source: 'environment', origin: name }]
      : [];
  });
}
