import { fault } from '@switchyard/base';
import type { Config } from './config';
import { isLegacy, type MissingFeature } from './option';
import { optionSections } from './option-table';

/**
 * Rejects a configuration with which no process may start: values that need a missing feature, and contradictory
 * values. @throws config.conflict
 */
export function checkConfiguration(config: Config): void {
  const [missing] = asked(config, 'refused');
  if (missing) throw fault('config.conflict', { text: `${missing.name} is not available: ${missing.feature.reason}` });
  const broken = combinations.find(({ isBroken }) => isBroken(config));
  if (broken) throw fault('config.conflict', { text: broken.text });
}

/** One warning for each value that has no effect: its feature is missing, or another option switches it off. */
export function warningsAbout(config: Config, isSet: (section: string, option?: string) => boolean): string[] {
  const ignored = asked(config, 'ignored').map(({ name, feature }) => `${name} has no effect: ${feature.reason}`);
  return [...ignored, ...withoutEffect(config, isSet)].map((text) => `Configuration: ${text}.`);
}

const combinations: readonly { readonly text: string; readonly isBroken: (config: Config) => boolean }[] = [
  {
    // Browsers drop such a cookie.
    text: 'api.auth_cookie_same_site = none needs api.auth_cookie_secure = true',
    isBroken: ({ api }) => api.auth_cookie_same_site === 'none' && !api.auth_cookie_secure,
  },
  {
    text: 'rbac.enable = true needs auth.enable = true: without logins, everybody is the same user',
    isBroken: ({ auth, rbac }) => rbac.enable && !auth.enable,
  },
  {
    text: 'rbac.enable = true needs rbac.backend = default, or the role backend of a plug-in: with noop, permissions are not checked',
    isBroken: ({ rbac }) => rbac.enable && rbac.backend === 'noop',
  },
  {
    text: 'rbac.sync_remote_groups = true needs rbac.backend = default: the role backend of a plug-in determines the roles of users itself',
    isBroken: ({ rbac }) => rbac.enable && rbac.sync_remote_groups && rbac.backend !== 'default',
  },
  {
    text: 'actionrunner.default_pool = false needs actionrunner.labels: without a label the action runner would run nothing',
    isBroken: ({ actionrunner }) => !actionrunner.default_pool && actionrunner.labels.length === 0,
  },
  {
    text: 'instances.lease_ms must be at least twice instances.heartbeat_ms',
    isBroken: ({ instances }) => instances.lease_ms < 2 * instances.heartbeat_ms,
  },
];

/** The values in use whose feature is missing. */
function asked(config: Config, kind: 'refused' | 'ignored') {
  const values = config as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return Object.entries(optionSections).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([option, entry]) => {
      const feature: MissingFeature | undefined = isLegacy(entry) ? undefined : entry[kind];
      if (!feature || values[section]?.[option] !== feature.value) return [];
      return [{ name: `${section}.${option} = ${String(feature.value)}`, feature }];
    }),
  );
}

/** A file written for a cluster must not start the embedded drivers without a warning. */
function withoutEffect(
  { storage, messaging, database, rbac }: Config,
  isSet: (section: string, option?: string) => boolean,
): string[] {
  return [
    ...(storage.driver === 'embedded' && isSet('database')
      ? ['[database] has no effect: storage.driver is embedded']
      : []),
    ...(messaging.driver === 'embedded' && (isSet('messaging', 'url') || isSet('messaging', 'cluster_urls'))
      ? ['the address of RabbitMQ has no effect: messaging.driver is embedded']
      : []),
    ...(['sync_remote_groups', 'permission_isolation'] as const)
      .filter((option) => rbac[option] && !rbac.enable)
      .map((option) => `rbac.${option} has no effect: rbac.enable is off`),
    ...(database.zlib_compression_level !== null && database.compressors !== 'zlib'
      ? ['database.zlib_compression_level has no effect: database.compressors is not zlib']
      : []),
  ];
}
