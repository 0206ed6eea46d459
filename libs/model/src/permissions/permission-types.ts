/** What a permission allows, by the last part of its name. */
const allows: Readonly<Record<string, (one: string, many: string) => string>> = {
  list: (_, many) => `List ${many}.`,
  view: (one) => `See ${one}.`,
  create: (one) => `Create ${one}.`,
  modify: (one) => `Change ${one}.`,
  delete: (one) => `Delete ${one}.`,
  all: (_, many) => `Everything that concerns ${many}.`,
  install: (one) => `Install ${one}.`,
  uninstall: (one) => `Uninstall ${one}.`,
  register: (_, many) => `Register the content of ${many}.`,
  config: (_, many) => `Configure ${many}.`,
  search: (_, many) => `Search the index for ${many}.`,
  views_index_health: () => 'See whether the pack index can be reached.',
  execute: (one) => `Run ${one}.`,
  match: (one) => `Find ${one} for a chat command.`,
  help: (_, many) => `See the help of ${many}.`,
  rerun: (one) => `Run ${one} again.`,
  stop: (one) => `Cancel ${one}.`,
  views_filters_list: () => 'List the values that executions can be filtered by.',
  set: (one) => `Create or change ${one}.`,
  send: (one) => `Send data to ${one}.`,
  respond: (one) => `Answer ${one}.`,
};

interface ProtectedType {
  readonly one: string;
  readonly many: string;
  /** Last parts of the names of its permission types. */
  readonly may: readonly string[];
}

const LOOK = ['list', 'view'];
const CHANGE = [...LOOK, 'create', 'modify', 'delete'];
const PACK = ['install', 'uninstall', 'register', 'config', 'search', 'views_index_health'];

const protectedTypes: Readonly<Record<string, ProtectedType>> = {
  runner_type: { one: 'a runner type', many: 'runner types', may: [...LOOK, 'modify', 'all'] },
  pack: { one: 'a pack', many: 'packs', may: [...CHANGE, ...PACK, 'all'] },
  sensor_type: { one: 'a sensor', many: 'sensors', may: [...LOOK, 'modify', 'all'] },
  action: { one: 'an action', many: 'actions', may: [...CHANGE, 'execute', 'all'] },
  action_alias: { one: 'an alias', many: 'aliases', may: [...CHANGE, 'match', 'help', 'all'] },
  rule: { one: 'a rule', many: 'rules', may: [...CHANGE, 'all'] },
  rule_enforcement: { one: 'a rule enforcement', many: 'rule enforcements', may: LOOK },
  execution: { one: 'an execution', many: 'executions', may: [...LOOK, 'rerun', 'stop', 'all', 'views_filters_list'] },
  key_value_pair: {
    one: 'an item of the datastore',
    many: 'items of the datastore',
    may: [...LOOK, 'set', 'delete', 'all'],
  },
  webhook: { one: 'a webhook', many: 'webhooks', may: [...LOOK, 'create', 'send', 'delete', 'all'] },
  timer: { one: 'a timer', many: 'timers', may: [...LOOK, 'all'] },
  api_key: { one: 'an API key', many: 'API keys', may: [...CHANGE, 'all'] },
  trace: { one: 'a trace', many: 'traces', may: [...LOOK, 'all'] },
  trigger: { one: 'a trigger', many: 'triggers', may: [...LOOK, 'all'] },
  policy_type: { one: 'a policy type', many: 'policy types', may: [...LOOK, 'all'] },
  policy: { one: 'a policy', many: 'policies', may: [...CHANGE, 'all'] },
  inquiry: { one: 'an inquiry', many: 'inquiries', may: [...LOOK, 'respond', 'all'] },
  audit: { one: 'a record of the audit trail', many: 'records of the audit trail', may: LOOK },
  stream: { one: 'the event stream', many: 'the event stream', may: ['view'] },
};

/** Types whose permissions can also be granted for everything in a pack. */
const IN_PACKS = ['sensor_type', 'action', 'action_alias', 'rule'];
const NOT_IN_PACKS = ['list', 'match', 'help'];

type Descriptions = Readonly<Record<string, string>>;

const ownTypes = (type: string, { one, many, may }: ProtectedType, without: readonly string[] = []): Descriptions =>
  Object.fromEntries(
    may.filter((part) => !without.includes(part)).map((part) => [`${type}_${part}`, allows[part]?.(one, many) ?? '']),
  );

/** Resource type → permission type that can be granted on such a resource → what it allows. */
export const permissionTypes: Readonly<Record<string, Descriptions>> = Object.fromEntries(
  Object.entries(protectedTypes).map(([type, declared]) => {
    const inside = type === 'pack' ? IN_PACKS.map((of) => ownTypes(of, protectedTypes[of]!, NOT_IN_PACKS)) : [];
    return [type, Object.assign({}, ownTypes(type, declared), ...inside) as Descriptions];
  }),
);

/** Permission type → what it allows, whatever it is granted on. */
export const permissionDescriptions: Descriptions = Object.assign(
  {},
  ...Object.values(permissionTypes),
) as Descriptions;

/** The resource type that a permission type belongs to, whatever it is granted on. */
const typeOfPermission: ReadonlyMap<string, string> = new Map(
  Object.entries(protectedTypes).flatMap(([type, declared]) =>
    Object.keys(ownTypes(type, declared)).map((permission) => [permission, type] as const),
  ),
);

export const resourceTypeOf = (permission: string): string | undefined => typeOfPermission.get(permission);

const GLOBAL = new Set([
  ...[...PACK, 'create'].map((part) => `pack_${part}`),
  'action_alias_match',
  'action_alias_help',
  'api_key_create',
  'policy_create',
  'execution_views_filters_list',
  'stream_view',
  'audit_view',
  'inquiry_view',
  'inquiry_respond',
]);

/** Whether a permission can be granted without a resource. */
export const isGlobalPermission = (permission: string): boolean =>
  GLOBAL.has(permission) || (permission.endsWith('_list') && typeOfPermission.has(permission));
