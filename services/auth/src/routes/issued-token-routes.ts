import { DAY_MS, fault, isoToMicros, MS_MICROS, microsToIso, type Clock } from '@switchyard/base';
import {
  ANY_USER,
  listResponse,
  pageParameters,
  readPage,
  route,
  type RequestHead,
  type Requester,
  type Route,
  type RouteResponse,
} from '@switchyard/http';
import type { Identities } from '@switchyard/identity';
import type { ListedToken, TokenRecord } from '@switchyard/model';
import { listedTokenAnswer, tokenAnswer, unattendedTokenBody } from '@switchyard/model/resources';
import type { Logger } from '@switchyard/telemetry';
import { Type } from '@sinclair/typebox';
import { tokenView } from './token-view';

export interface IssuedTokenDependencies {
  readonly identities: Pick<Identities, 'tokens'>;
  readonly clock: Pick<Clock, 'nowMicros'>;
  /** The address of the client, for the list. */
  readonly clientAddress: (request: RequestHead) => string;
  /** `api.max_page_size`. */
  readonly maxPageSize: number;
  readonly logger: Pick<Logger, 'audit'>;
}

/** Users list and revoke their own tokens, administrators those of all users. */
export const issuedTokenRoutes = (deps: IssuedTokenDependencies): Route[] => [
  listTokens(deps),
  createUnattended(deps),
  revokeTokens(deps),
  revokeToken(deps),
];

const DEFAULT_LIMIT = 50;

const userParameter = {
  user: { type: 'string', description: 'Name of another user (administrators only)' },
} as const;

const listTokens = ({ identities: { tokens }, maxPageSize }: IssuedTokenDependencies): Route =>
  route({
    method: 'GET',
    path: '/issued_tokens',
    operation: 'tokens.get_all',
    summary: "A user's tokens that have not expired",
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

const DEFAULT_LIFETIME = 365 * DAY_MS * MS_MICROS;

const createUnattended = ({ identities, clock, clientAddress, logger }: IssuedTokenDependencies): Route =>
  route({
    method: 'POST',
    path: '/issued_tokens',
    operation: 'tokens.create_unattended',
    summary: 'Create a token for unattended use, which permits only what a role permits',
    permission: ANY_USER,
    body: unattendedTokenBody,
    response: { status: 201, schema: tokenAnswer },
    async handle(request) {
      const { requester, body } = request;
      // Otherwise, the holder of an expiring key could create a token that does not expire.
      if (requester.isLimited) throw fault('auth.restricted');
      const issued = await identities.tokens.issueUnattended({
        user: requester.user,
        serviceName: body.service,
        role: body.role,
        expiryMicros: expiryOf(body.expires_at) ?? clock.nowMicros() + DEFAULT_LIFETIME,
        address: clientAddress(request),
        client: request.header('user-agent'),
      });
      const { id, user, expiry } = issued;
      const limits = { service_name: body.service, role: body.role };
      logger.audit('Token issued.', { id, user, ...limits, expiry: expiry.toISOString() });
      return { status: 201, body: tokenView(issued) };
    },
  });

function expiryOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const micros = isoToMicros(text);
  if (micros === undefined) throw fault('auth.key-limit', { field: 'expires_at', text: `"${text}" is not a time` });
  return micros;
}

const revokeTokens = ({ identities: { tokens }, logger }: IssuedTokenDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/issued_tokens',
    operation: 'tokens.revoke_all',
    summary: 'Revoke all tokens of a user, including those of running actions',
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
    summary: 'Revoke a token',
    permission: ANY_USER,
    response: { status: 204 },
    async handle({ requester, params: { id } }): Promise<RouteResponse> {
      const record = await tokens.byId(id);
      // Not everybody may know whether a token of another user exists.
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
