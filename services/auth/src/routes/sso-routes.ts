import { fault, isPlainObject } from '@switchyard/base';
import { requestCookie, route, type RequestHead, type Route, type RouteResponse } from '@switchyard/http';
import type { Identities } from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { Type } from '@sinclair/typebox';
import { landingPage } from '../sso/landing-page';
import type { ReturnAddresses } from '../sso/return-addresses';
import { ATTEMPT_COOKIE, attemptCookie, endOfAttempt, newAttempt, readAttempt } from '../sso/sso-attempt';
import type { SsoLogin } from '../sso/sso-login';
import { tokenView } from './token-view';

export interface SsoRoutesDependencies {
  readonly identities: Pick<Identities, 'tokens'>;
  readonly login: SsoLogin;
  readonly returnAddresses: ReturnAddresses;
  /** The address of the client, for the log. */
  readonly clientAddress: (request: RequestHead) => string;
  readonly logger: Pick<Logger, 'audit'>;
}

/** @param deps undefined while single sign-on is off. Clients ask for it, and these routes tell them so. */
export const ssoRoutes = (deps: SsoRoutesDependencies | undefined): Route[] => [
  route({
    method: 'GET',
    path: '/sso',
    operation: 'sso.get',
    summary: 'Whether single sign-on is enabled',
    open: true,
    response: { status: 200, schema: Type.Object({ enabled: Type.Boolean() }) },
    handle: () => ({ status: 200, body: { enabled: deps !== undefined } }),
  }),
  startSso(deps),
  answeredByQuery(deps),
  answeredByBody(deps),
];

const startSso = (deps: SsoRoutesDependencies | undefined): Route =>
  route({
    method: 'GET',
    path: '/sso/request',
    operation: 'sso.request',
    summary: 'Start single sign-on: redirects to the identity provider',
    open: true,
    async handle(request) {
      const { login, returnAddresses } = enabled(deps);
      const attempt = newAttempt(returnAddresses.check(request.header('referer')));
      const location = await login.loginAddress(attempt.secret);
      return { status: 307, headers: { Location: location }, cookies: [attemptCookie(attempt)] };
    },
  });

const text = { type: 'string' } as const;
const answeredWith = { status: 200, type: 'text/html' } as const;

/** OpenID Connect sends the browser back with the response in the query. */
const answeredByQuery = (deps: SsoRoutesDependencies | undefined): Route =>
  route({
    method: 'GET',
    path: '/sso/callback',
    operation: 'sso.callback_query',
    summary: 'End single sign-on: the response of an identity provider, in the query',
    open: true,
    ...recordedLogin(deps),
    query: { code: text, state: text, iss: text, error: text },
    response: answeredWith,
    handle: (request) => logIn(enabled(deps), request, request.query),
  });

const answeredByBody = (deps: SsoRoutesDependencies | undefined): Route =>
  route({
    method: 'POST',
    path: '/sso/callback',
    operation: 'sso.callback',
    summary: 'End single sign-on: the response of an identity provider, in a form or as JSON',
    open: true,
    ...recordedLogin(deps),
    body: 'any',
    bodySchema: Type.Record(Type.String(), Type.Unknown(), { description: 'The parameters of the response' }),
    response: answeredWith,
    handle: (request) => logIn(enabled(deps), request, request.body),
  });

/** Who logs in is known once the provider's response was checked. While single sign-on is off, nobody can log in. */
const recordedLogin = (deps: SsoRoutesDependencies | undefined): Pick<Route, 'login'> =>
  deps ? { login: (head) => ({ user: undefined, address: deps.clientAddress(head) }) } : {};

function enabled(deps: SsoRoutesDependencies | undefined): SsoRoutesDependencies {
  if (!deps) throw fault('auth.sso-off');
  return deps;
}

async function logIn(deps: SsoRoutesDependencies, request: RequestHead, given: unknown): Promise<RouteResponse> {
  const { identities, login, returnAddresses, clientAddress, logger } = deps;
  const address = clientAddress(request);
  const attempt = readAttempt(requestCookie(request.header('cookie'), ATTEMPT_COOKIE));
  const user = await login
    .user({ browserSecret: attempt?.secret, parameters: textsOf(given) })
    .catch((error: unknown) => {
      logger.audit('Login refused.', { method: 'sso', address, error });
      throw error;
    });
  const returnTo = returnAddresses.check(attempt?.returnTo);
  const issued = await identities.tokens.issueToken({ user });
  logger.audit('Token issued.', { user, caller: user, method: 'sso', expiry: issued.expiry.toISOString(), address });
  const token = tokenView(issued);
  const cookie = { name: TOKEN_COOKIE, value: encodeURIComponent(JSON.stringify(token)), maxAgeSeconds: TOKEN_SECONDS };
  const cookies = [cookie, endOfAttempt];
  return { status: 200, ...landingPage(token, returnTo), cookies, loggedIn: { user, method: 'sso' } };
}

/** As in StackStorm, except that scripts cannot read it. */
const TOKEN_COOKIE = 'st2-auth-token';
const TOKEN_SECONDS = 60;

/** Fields of a form are lists. What is given twice is left out, so that it counts as missing. */
function textsOf(given: unknown): Record<string, string> {
  if (!isPlainObject(given)) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, string][] => {
      const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
      return typeof single === 'string' ? [[name, single]] : [];
    }),
  );
}
