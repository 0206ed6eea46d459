import { fault, microsToIso } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import {
  pageParameters,
  readPage,
  route,
  type Guarded,
  type Requester,
  type Route,
  type RouteRequest,
  type RouteResponse,
} from '@switchyard/http';
import type { Identities } from '@switchyard/identity';
import { toUid, type ApiKeyRecord } from '@switchyard/model';
import { apiKeyAnswer, apiKeyBody, newApiKeyAnswer } from '@switchyard/model/resources';
import type { Logger } from '@switchyard/telemetry';
import type { ApiDependencies } from '../api-dependencies';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { among, visibleRecords, type Visibility } from '../permissions/visible-records';
import { limitsOf } from './api-key-body';

type Deps = Pick<ApiDependencies, 'config' | 'identities'> & { readonly logger: Pick<Logger, 'audit'> };

/** Administrators see and change all keys; other users their own, and those that their roles grant. */
export const apiKeyRoutes = (deps: Deps): Route[] => [
  listKeys(deps),
  getKey(deps),
  createKey(deps),
  changeKey(deps),
  removeKey(deps),
];

const MASK = '********';
const DEFAULT_LIMIT = 50;

const showSecrets = {
  show_secrets: { type: 'boolean', default: false, description: 'Include hashes (administrators only)' },
} as const;

/** Without this, keys that were used would differ from those of StackStorm. */
const lastUse = {
  last_use: { type: 'boolean', default: false, description: 'Include last_used_at' },
} as const;

const listKeys = (deps: Deps): Route => {
  const { config } = deps;
  return route({
    method: 'GET',
    path: '/apikeys',
    operation: 'api_keys.get_all',
    summary: 'API keys',
    permission: 'api_key_list',
    query: { ...pageParameters, ...showSecrets, ...lastUse },
    response: { status: 200, schema: listed(apiKeyAnswer) },
    async handle(request) {
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const filter = await visibleRecords(deps, request.requester, visibleKeys(request.requester));
      const shows = { secrets: shown(request, config), lastUse: request.query.last_use };
      const asked = { filter, sort: { _id: 1 as const }, page, budget: pageBudget(config, request) };
      return listRecords(deps.identities.apiKeys, asked, (record) => keyView(record, shows));
    },
  });
};

/** Users see their own keys, but not with a restricted credential. */
const visibleKeys = ({ user, restriction }: Requester): Visibility<ApiKeyRecord> => ({
  permission: 'api_key_view',
  matching: (granted) => [
    ...(restriction ? [] : [{ user }]),
    ...among<ApiKeyRecord>('key_hash', granted.names('api_key')),
  ],
});

/** Users may use and revoke their own keys. A refusal does not repeat the path, which may contain a key. */
const guardedKey =
  ({ identities: { apiKeys } }: Deps) =>
  async (request: KeyRequest): Promise<Guarded> => {
    const record = await apiKeys.find(keyOf(request));
    if (record?.user === request.requester.user) return { uid: record.uid, isOwn: true };
    return { uid: toUid('api_key', unlessKey(keyOf(request))), parents: record ? [record.uid] : [] };
  };

const getKey = (deps: Deps): Route => {
  const { config, identities } = deps;
  return route({
    method: 'GET',
    path: '/apikeys/{api_key_id_or_key}',
    secretParameter: 'api_key_id_or_key',
    operation: 'api_keys.get_one',
    summary: 'One API key',
    permission: 'api_key_view',
    resource: guardedKey(deps),
    query: { ...showSecrets, ...lastUse },
    response: { status: 200, schema: apiKeyAnswer },
    async handle(request) {
      const given = keyOf(request);
      const record = await identities.apiKeys.find(given);
      if (!record) throw fault('auth.key-not-found', { id: unlessKey(given) });
      return {
        status: 200,
        body: keyView(record, { secrets: shown(request, config), lastUse: request.query.last_use }),
      };
    },
  });
};

const createKey = ({ identities: { apiKeys }, logger }: Deps): Route =>
  route({
    method: 'POST',
    path: '/apikeys',
    operation: 'api_keys.create',
    summary: 'Create an API key; only this response contains the key',
    permission: 'api_key_create',
    body: apiKeyBody,
    response: { status: 201, schema: newApiKeyAnswer },
    async handle({ body, requester }) {
      refuseLimited(requester);
      const { id, key_hash: keyHash, metadata, enabled, user: asked } = body;
      const user = keyUser(requester, asked, 'api_key_create') ?? requester.user;
      const made = await apiKeys.create({
        user,
        metadata,
        enabled,
        id,
        keyHash,
        limits: limitsOf(body),
      });
      logger.audit('API key created.', { id: made.record._id, user, requester: requester.user });
      const { key_hash: _, ...rest } = keyView(made.record, { secrets: true });
      return { status: 201, body: { ...rest, key: made.key ?? null } };
    },
  });

const changeKey = (deps: Deps): Route => {
  const {
    config,
    identities: { apiKeys },
    logger,
  } = deps;
  return route({
    method: 'PUT',
    path: '/apikeys/{api_key_id_or_key}',
    secretParameter: 'api_key_id_or_key',
    operation: 'api_keys.update',
    summary: 'Change an API key: its user, metadata, or whether it is enabled',
    permission: 'api_key_modify',
    resource: guardedKey(deps),
    body: apiKeyBody,
    response: { status: 200, schema: apiKeyAnswer },
    async handle(request) {
      const { user, metadata, enabled = true, key_hash: keyHash } = request.body;
      refuseLimited(request.requester);
      const record = await keyToChange(apiKeys, request);
      if (keyHash && keyHash !== MASK && keyHash !== record.key_hash) throw fault('auth.key-hash-change');
      const changed = await apiKeys.change(record, {
        user: keyUser(request.requester, user, 'api_key_modify') ?? record.user,
        metadata: metadata ?? {},
        enabled,
        limits: limitsOf(request.body, record),
      });
      if (!changed) throw notFoundToChange(keyOf(request));
      logger.audit('API key updated.', {
        id: record._id,
        user: changed.user,
        enabled,
        requester: request.requester.user,
      });
      return { status: 200, body: keyView(changed, { secrets: !config.api.mask_secrets }) };
    },
  });
};

const removeKey = (deps: Deps): Route => {
  const {
    identities: { apiKeys },
    logger,
  } = deps;
  return route({
    method: 'DELETE',
    path: '/apikeys/{api_key_id_or_key}',
    secretParameter: 'api_key_id_or_key',
    operation: 'api_keys.delete',
    summary: 'Delete an API key',
    permission: 'api_key_delete',
    resource: guardedKey(deps),
    response: { status: 204 },
    async handle(request): Promise<RouteResponse> {
      const record = await keyToChange(apiKeys, request);
      if (!(await apiKeys.remove(record))) throw notFoundToChange(keyOf(request));
      logger.audit('API key deleted.', { id: record._id, user: record.user, requester: request.requester.user });
      return { status: 204 };
    },
  });
};

type KeyRequest = Pick<RouteRequest<unknown, { readonly api_key_id_or_key: string }>, 'params' | 'requester'>;

const keyOf = ({ params }: KeyRequest): string => params.api_key_id_or_key;

async function keyToChange(apiKeys: Identities['apiKeys'], request: KeyRequest): Promise<ApiKeyRecord> {
  const record = await apiKeys.find(keyOf(request));
  if (!record) throw notFoundToChange(keyOf(request));
  return record;
}

const notFoundToChange = (given: string) => fault('auth.key-not-found-to-change', { id: unlessKey(given) });

/** Responses and logs contain ids, but nothing that looks like a key. */
const unlessKey = (given: string): string => (given.length > 40 ? MASK : given);

/** Otherwise, the holder of a limited key could create one without limits. @throws Fault `auth.restricted` */
function refuseLimited({ isLimited }: Requester): void {
  if (isLimited) throw fault('auth.restricted');
}

/**
 * The user named in a body. @throws Fault `auth.forbidden` if that is another user and the caller is not an
 * administrator
 */
function keyUser(requester: Requester, asked: string | undefined, permission: string): string | undefined {
  if (!asked) return undefined;
  if (!requester.isAdmin && asked !== requester.user)
    throw fault('auth.forbidden', { user: requester.user, permission });
  return asked;
}

const shown = (
  { query, requester }: { query: { show_secrets: boolean }; requester: Requester },
  { api }: Pick<Config, 'api'>,
): boolean => !api.mask_secrets || (query.show_secrets && requester.isAdmin);

/** The uid contains the hash, so both are masked or neither. */
const keyView = (
  {
    _id,
    uid,
    user,
    key_hash: hash,
    metadata,
    created_at: created,
    enabled,
    last_used_at: used,
    ...limits
  }: ApiKeyRecord,
  { secrets, lastUse = false }: { secrets: boolean; lastUse?: boolean },
) => ({
  id: _id,
  uid: secrets ? uid : MASK,
  user,
  key_hash: secrets ? hash : MASK,
  metadata,
  created_at: microsToIso(created),
  enabled,
  ...limits,
  ...(limits.expires_at === undefined ? {} : { expires_at: microsToIso(limits.expires_at) }),
  ...(used === undefined || !lastUse ? {} : { last_used_at: microsToIso(used) }),
});
