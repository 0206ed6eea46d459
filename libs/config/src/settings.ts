import type { ConfigOverrides } from './config';

/** One value that was set, before it is checked. If an option is set twice, the later setting wins. */
export interface Setting {
  readonly section: string;
  readonly option: string;
  /** A string as it would stand in a file, or, from an embedding program, a value of the option's type. */
  readonly value: unknown;
  readonly source: 'file' | 'environment' | 'command line';
  /** The file that the value was read from; messages never show it. */
  readonly secretFile?: string;
  /** Where it was set, for messages: `svc.conf line 3`. */
  readonly origin: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings `SVC_<SECTION>__<OPTION>` of an environment. The prefix `ST2_` works too; `SVC_` wins over it. */
export function readEnvironment(environment: Environment): Setting[] {
  return ['ST2', 'SVC'].flatMap((prefix) => withPrefix(environment, prefix));
}

/** The path of the configuration file that the environment names. */
export const configPathOf = (environment: Environment): string | undefined =>
  environment['SVC_CONFIG_PATH'] || environment['ST2_CONFIG_PATH'] || undefined;

export function overrideSettings(overrides: ConfigOverrides): Setting[] {
  return Object.entries(overrides).flatMap(([section, options]) =>
    Object.entries<unknown>(options).flatMap(([option, value]) =>
      value === undefined
        ? []
        : [{ section, option, value: structuredClone(value), source: 'command line', origin: 'command line' }],
    ),
  );
}

function withPrefix(environment: Environment, prefix: string): Setting[] {
  const pattern = new RegExp(`^${prefix}_([A-Z0-9_]+?)__([A-Z0-9_]+)$`);
  return Object.entries(environment).flatMap(([name, value]) => {
    const [, section, option] = pattern.exec(name) ?? [];
    return section && option && value !== undefined
      ? [{ section, option, value, source: 'environment', origin: name }]
      : [];
  });
}
