import { fault, MS_MICROS, microsToIso } from '@switchyard/base';
import {
  ANY_USER,
  listResponse,
  pageParameters,
  readPage,
  route,
  type Requester,
  type Route,
  type RouteResponse,
} from '@switchyard/http';
import type { Identities } from '@switchyard/identity';
import type { ListedToken, TokenRecord } from '@switchyard/model';
import { listedTokenAnswer } from '@switchyard/model/resources';
import type { Logger } from '@switchyard/telemetry';
import { Type } from '@sinclair/typebox';

export interface IssuedTokenDependencies {
  readonly identities: Pick<Identities, 'tokens'>;
  /** `api.max_page_size`. */
  readonly maxPageSize: number;
  readonly logger: Pick<Logger, 'audit'>;
}

/** Users list and revoke their own tokens, administrators those of everybody. */
export const issuedTokenRoutes = (deps: IssuedTokenDependencies): Route[] => [
  listTokens(deps),
  revokeTokens(deps),
  revokeToken(deps),
];

const DEFAULT_LIMIT = 50;

const userParameter = {
  user: { type: 'string', description: 'Name of another user than yourself (administrators only)' },
} as const;

const listTokens = ({ identities: { tokens }, maxPageSize }: IssuedTokenDependencies): Route =>
  route({
    method: 'GET',
    path: '/issued_tokens',
    operation: 'tokens.get_all',
    summary: 'The tokens of a user that have not expired',
    permission: ANY_USER,
    query: { ...userParameter, ...pageParameters },
    response: { status: 200, schema: Type.Array(listedTokenAnswer) },
    async handle(request) {
      const user = chosenUser(request.requester, request.query.user);
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize });
      const { records, total } = await tokens.ofUser(user, page);
      return listResponse(records.map(listedToken), total, page);
    },
  });

const revokeTokens = ({ identities: { tokens }, logger }: IssuedTokenDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/issued_tokens',
    operation: 'tokens.revoke_all',
    summary: 'All tokens of a user stop working, also those of running actions',
    permission: ANY_USER,
    query: userParameter,
    response: { status: 200, schema: Type.Object({ revoked: Type.Integer() }) },
    async handle({ requester, query }) {
      const user = chosenUser(requester, query.user);
      const revoked = await tokens.revokeAll(user);
      logger.audit('All tokens revoked.', { user, revoked, requester: requester.user });
      return { status: 200, body: { revoked } };
    },
  });

const revokeToken = ({ identities: { tokens }, logger }: IssuedTokenDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/issued_tokens/{id}',
    secretParameter: 'id',
    operation: 'tokens.revoke',
    summary: 'A token stops working',
    permission: ANY_USER,
    response: { status: 204 },
    async handle({ requester, params: { id } }): Promise<RouteResponse> {
      const record = await tokens.byId(id);
      // Whether the token of somebody else exists is not for everybody.
      const isVisible = record !== undefined && (record.user === requester.user || requester.isAdmin);
      if (!isVisible || !(await tokens.revokeRecord(record))) throw fault('auth.token-not-found');
      logger.audit('Token revoked.', { id, user: record.user, requester: requester.user });
      return { status: 204 };
    },
  });

/** @throws Fault `auth.administrators-only`, whether the other user exists or not */
function chosenUser(requester: Requester, user = requester.user): string {
  if (user !== requester.user && !requester.isAdmin) throw fault('auth.administrators-only');
  return user;
}

const listedToken = ({ _id, expiry, created_at: created, ...record }: TokenRecord): ListedToken => {
  const { token_hash: _, ...shown } = record;
  return {
    id: _id,
    ...shown,
    expiry: microsToIso(expiry.getTime() * MS_MICROS),
    ...(created === undefined ? {} : { created_at: microsToIso(created) }),
  };
};
