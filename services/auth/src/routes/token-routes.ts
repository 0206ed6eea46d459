import { fault } from '@switchyard/base';
import { ANY_USER, exposed, route, type RequestHead, type Requester, type Route } from '@switchyard/http';
import { readBasicCredentials, tokenUser, type Identities } from '@switchyard/identity';
import { tokenAnswer } from '@switchyard/model/resources';
import type { Logger } from '@switchyard/telemetry';
import { Type } from '@sinclair/typebox';
import type { TokenLogin } from '../logins/token-login';
import { tokenView } from './token-view';

export interface TokenRoutesDependencies {
  readonly identities: Pick<Identities, 'tokens' | 'users'>;
  readonly login: TokenLogin;
  /** The address of the client, for the log. */
  readonly clientAddress: (request: RequestHead) => string;
  /** Public address of the API, without trailing slash; returned with each token. */
  readonly apiUrl: string;
  /** Maximum size of the body of a token request. */
  readonly maxBodyBytes: number;
  readonly logger: Pick<Logger, 'audit'>;
}

export const tokenRoutes = (deps: TokenRoutesDependencies): Route[] => [
  createToken(deps),
  validateToken(deps),
  revokeOwnToken(deps),
];

const text = Type.Unsafe<string | null>({ type: ['string', 'null'] });
/** An invalid body may contain the password. */
const tokenRequest = Type.Object(
  {
    ttl: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 })),
    user: Type.Optional(text),
    impersonate_user: Type.Optional(text),
    nickname_origin: Type.Optional(text),
  },
  { title: 'TokenBody', secret: true },
);

const createToken = (deps: TokenRoutesDependencies): Route => {
  const { identities, apiUrl, clientAddress, maxBodyBytes, logger } = deps;
  return route({
    method: 'POST',
    path: '/tokens',
    operation: 'tokens.create',
    summary: 'Log in: issue a token for basic credentials',
    open: true,
    login: (head) => ({ user: givenName(head), address: clientAddress(head) }),
    admit: async (head) => loggedInUser(await loggedIn(deps, head)),
    body: tokenRequest,
    maxBodyBytes,
    response: { status: 201, schema: tokenAnswer },
    async handle(request) {
      const { ttl, ...whom } = request.body;
      const caller = request.requester.user;
      const user = await tokenUser(identities.users, caller, {
        user: whom.user ?? undefined,
        nickname: whom.impersonate_user ?? undefined,
        nicknameOrigin: whom.nickname_origin ?? undefined,
      });
      const issued = await identities.tokens.issueToken({
        user,
        ttlSeconds: ttl ?? undefined,
        address: clientAddress(request),
        client: request.header('user-agent'),
      });
      logger.audit('Token issued.', {
        user,
        caller,
        expiry: issued.expiry.toISOString(),
        address: clientAddress(request),
      });
      const headers = { 'X-API-URL': apiUrl, 'Access-Control-Expose-Headers': exposed('X-API-URL') };
      return { status: 201, headers, body: tokenView(issued) };
    },
  });
};

/** In proxy mode the user is not known before the login. */
const givenName = (head: RequestHead): string | undefined => readBasicCredentials(head.header('authorization'))?.user;

const loggedInUser = (user: string): Requester => ({ user, method: 'password', location: 'header', isAdmin: false });

async function loggedIn(
  { login, clientAddress, logger }: TokenRoutesDependencies,
  request: RequestHead,
): Promise<string> {
  try {
    return await login(request);
  } catch (error) {
    logger.audit('Login refused.', { address: clientAddress(request), error });
    throw error;
  }
}

const tokenToValidate = Type.Object({ token: Type.Optional(text) }, { secret: true });

const validateToken = ({ identities, maxBodyBytes }: TokenRoutesDependencies): Route =>
  route({
    method: 'POST',
    path: '/tokens/validate',
    operation: 'tokens.validate',
    readsOnly: true,
    summary: 'Check whether a token is valid',
    permission: ANY_USER,
    body: tokenToValidate,
    maxBodyBytes,
    response: { status: 200, schema: Type.Object({ valid: Type.Boolean() }) },
    async handle(request) {
      const { token: given } = request.body;
      if (!given) throw fault('auth.token-missing');
      return { status: 200, body: { valid: await identities.tokens.isValid(given) } };
    },
  });

const revokeOwnToken = ({ identities, logger }: TokenRoutesDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/tokens/current',
    operation: 'tokens.revoke_own',
    forRestricted: true,
    summary: 'Log out: revoke the token of this request',
    permission: ANY_USER,
    response: { status: 204 },
    async handle({ requester }) {
      if (!requester.token) throw fault('auth.not-a-token');
      await identities.tokens.revoke(requester.token);
      logger.audit('Token revoked.', { user: requester.user });
      return { status: 204, cookies: [{ name: 'auth-token', value: '', maxAgeSeconds: 0 }] };
    },
  });
