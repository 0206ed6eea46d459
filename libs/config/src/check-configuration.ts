import { fault } from '@switchyard/base';
import type { CompiledSettings } from './compile-settings';
import type { Config } from './config';
import type { ConfigFinding, OnProblem } from './config-finding';
import { isLegacy, type MissingFeature } from './option';
import { optionSections } from './option-table';

/**
 * Reports what keeps every process from starting: values that need a missing feature, and contradictory values.
 * @throws config.conflict, unless `onProblem` handles it
 */
export function checkConfiguration(config: Config, onProblem: OnProblem): void {
  for (const { name, feature } of asked(config, 'refused'))
    onProblem(fault('config.conflict', { text: `${name} is not available: ${feature.reason}` }));
  for (const { text, isBroken } of combinations) if (isBroken(config)) onProblem(fault('config.conflict', { text }));
}

type OriginsOf = CompiledSettings['originsOf'];

/** One finding for each value that has no effect: its feature is missing, or another option switches it off. */
export function findingsWithoutEffect(config: Config, originsOf: OriginsOf): ConfigFinding[] {
  const ignored = asked(config, 'ignored').map(({ section, option, name, feature }) => ({
    text: `${name} has no effect: ${feature.reason}`,
    origins: originsOf(section, option),
  }));
  return [...ignored, ...withoutEffect(config, originsOf)].map(({ text, origins }) => ({
    kind: 'no-effect',
    message: `Configuration: ${text}.`,
    origins,
  }));
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
  {
    text: 'garbagecollector.archive_path must be a directory or s3://BUCKET/PREFIX',
    isBroken: ({ garbagecollector: { archive_path: path } }) =>
      path !== null && /^[a-z][a-z0-9+.-]*:/i.test(path) && !S3_ADDRESS.test(path),
  },
  {
    text: 'garbagecollector.archive_s3_endpoint must be an address that begins with http:// or https://',
    isBroken: ({ garbagecollector: { archive_s3_endpoint: endpoint } }) =>
      endpoint !== null && !(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)),
  },
  {
    text: 'garbagecollector.archive_s3_access_key_id and archive_s3_secret_access_key need each other',
    isBroken: ({ garbagecollector: { archive_s3_access_key_id: id, archive_s3_secret_access_key: secret } }) =>
      (id === null) !== (secret === null),
  },
];

/** The name of a bucket has no slash, and no characters that a host name cannot have. */
const S3_ADDRESS = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$)/;

/** The values in use whose feature is missing. */
function asked(config: Config, kind: 'refused' | 'ignored') {
  const values = config as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return Object.entries(optionSections).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([option, entry]) => {
      const feature: MissingFeature | undefined = isLegacy(entry) ? undefined : entry[kind];
      if (!feature || values[section]?.[option] !== feature.value) return [];
      return [{ section, option, name: `${section}.${option} = ${String(feature.value)}`, feature }];
    }),
  );
}

/** A file written for a cluster must not start the embedded drivers without a warning. */
function withoutEffect({ storage, messaging, database, rbac, garbagecollector }: Config, originsOf: OriginsOf) {
  const addresses = [...originsOf('messaging', 'url'), ...originsOf('messaging', 'cluster_urls')];
  return [
    {
      isSo: storage.driver === 'embedded' && originsOf('database').length > 0,
      text: '[database] has no effect: storage.driver is embedded',
      origins: originsOf('database'),
    },
    {
      isSo: messaging.driver === 'embedded' && addresses.length > 0,
      text: 'the address of RabbitMQ has no effect: messaging.driver is embedded',
      origins: addresses,
    },
    {
      isSo: originsOf('garbagecollector', 'archive_s3_endpoint').length > 0 && !isInS3(garbagecollector),
      text: 'garbagecollector.archive_s3_endpoint has no effect: archive_path does not begin with s3://',
      origins: originsOf('garbagecollector', 'archive_s3_endpoint'),
    },
    ...(['sync_remote_groups', 'permission_isolation'] as const).map((option) => ({
      isSo: rbac[option] && !rbac.enable,
      text: `rbac.${option} has no effect: rbac.enable is off`,
      origins: originsOf('rbac', option),
    })),
    {
      isSo: database.zlib_compression_level !== null && database.compressors !== 'zlib',
      text: 'database.zlib_compression_level has no effect: database.compressors is not zlib',
      origins: originsOf('database', 'zlib_compression_level'),
    },
  ].filter(({ isSo }) => isSo);
}

const isInS3 = ({ archive_path: path }: Config['garbagecollector']): boolean => path?.startsWith('s3://') ?? false;
