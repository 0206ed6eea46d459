import { fault, isPlainObject } from '@switchyard/base';
import { route, type Cookie, type RequestHead, type Route, type RouteResponse } from '@switchyard/http';
import type { Identities } from '@switchyard/identity';
import type { Logger } from '@switchyard/telemetry';
import { singleSignOnAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import { landingPage } from '../sso/landing-page';
import type { ReturnAddresses } from '../sso/return-addresses';
import { attemptCookies, endOfAttempt, newAttempt, readAttempt, type LoginEnd } from '../sso/sso-attempt';
import type { SsoLogin } from '../sso/sso-login';
import type { TerminalGrants } from '../sso/terminal-grants';
import { shownCode, type TerminalLogin } from '../sso/terminal-login';
import { confirmPage } from '../sso/terminal-pages';
import { tokenView } from './token-view';

export interface SsoRoutesDependencies {
  readonly identities: Pick<Identities, 'tokens'>;
  readonly login: SsoLogin;
  readonly returnAddresses: ReturnAddresses;
  readonly grants: TerminalGrants;
  /** The address of the client, for the log. */
  readonly clientAddress: (request: RequestHead) => string;
  readonly logger: Pick<Logger, 'audit'>;
}

/** @param deps undefined while single sign-on is off. Clients check for it, and these routes report that it is off. */
export const ssoRoutes = (deps: SsoRoutesDependencies | undefined): Route[] => [
  route({
    method: 'GET',
    path: '/sso',
    operation: 'sso.get',
    summary: 'Whether single sign-on is enabled',
    open: true,
    response: { status: 200, schema: singleSignOnAnswer },
    handle: () => ({
      status: 200,
      body: deps ? { enabled: true, login_url: terminalAddress(deps) } : { enabled: false },
    }),
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
      const sso = enabledSso(deps);
      return toProvider(sso, request, { returnTo: sso.returnAddresses.check(request.header('referer')) });
    },
  });

/** @returns the response that sends a browser to the provider */
export async function toProvider({ login }: Pick<SsoRoutesDependencies, 'login'>, request: RequestHead, end: LoginEnd) {
  const attempt = newAttempt(end);
  const headers = { Location: await login.loginAddress(attempt.secret) };
  return { status: 307, headers, cookies: attemptCookies(attempt, login.responseComes, request.header('cookie')) };
}

/** A path next to the callback address, because browsers send the cookie of a login only there. */
const terminalAddress = ({ login }: SsoRoutesDependencies): string => new URL('terminal', login.callbackAddress).href;

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
    handle: (request) => logIn(enabledSso(deps), request, request.query),
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
    handle: (request) => logIn(enabledSso(deps), request, request.body),
  });

/** The user is known after the provider's response was checked. While single sign-on is off, nobody can log in. */
const recordedLogin = (deps: SsoRoutesDependencies | undefined): Pick<Route, 'login'> =>
  deps ? { login: (head) => ({ user: undefined, address: deps.clientAddress(head) }) } : {};

/** @throws Fault `auth.sso-off` */
export function enabledSso(deps: SsoRoutesDependencies | undefined): SsoRoutesDependencies {
  if (!deps) throw fault('auth.sso-off');
  return deps;
}

async function logIn(deps: SsoRoutesDependencies, request: RequestHead, given: unknown): Promise<RouteResponse> {
  const { login, clientAddress, logger } = deps;
  const address = clientAddress(request);
  const parameters = singleTexts(given);
  const state = parameters['state'] ?? parameters['RelayState'] ?? '';
  const attempt = readAttempt(request.header('cookie'), state);
  const user = await login.user({ browserSecret: attempt?.secret, parameters }).catch((error: unknown) => {
    logger.audit('Login refused.', { method: 'sso', address, error });
    throw error;
  });
  if (!attempt) throw fault('auth.sso-page-expired');
  const { end } = attempt;
  const finish =
    'terminal' in end ? askToConfirm(deps, user, end.terminal) : openConsole(deps, request, user, end.returnTo);
  const { cookies = [], ...response } = await finish;
  return { ...response, cookies: [...cookies, endOfAttempt(state)], loggedIn: { user, method: 'sso' } };
}

async function askToConfirm({ grants }: SsoRoutesDependencies, user: string, terminal: TerminalLogin) {
  return confirmPage(user, shownCode(terminal), await grants.ask(terminal, user));
}

async function openConsole(
  { identities, returnAddresses, clientAddress, logger }: SsoRoutesDependencies,
  request: RequestHead,
  user: string,
  returnAddress: string,
): Promise<RouteResponse> {
  const returnTo = returnAddresses.check(returnAddress);
  const address = clientAddress(request);
  const issued = await identities.tokens.issueToken({ user, address, client: request.header('user-agent') });
  logger.audit('Token issued.', { user, caller: user, method: 'sso', expiry: issued.expiry.toISOString(), address });
  const token = tokenView(issued);
  const cookie: Cookie = {
    name: TOKEN_COOKIE,
    value: encodeURIComponent(JSON.stringify(token)),
    maxAgeSeconds: TOKEN_SECONDS,
  };
  return { status: 200, ...landingPage(token, returnTo), cookies: [cookie] };
}

/** As in StackStorm, except that scripts cannot read it. */
const TOKEN_COOKIE = 'st2-auth-token';
const TOKEN_SECONDS = 60;

/** Fields of a form are lists. A field that is given twice is left out, so that it counts as missing. */
export function singleTexts(given: unknown): Record<string, string> {
  if (!isPlainObject(given)) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, string][] => {
      const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
      return typeof single === 'string' ? [[name, single]] : [];
    }),
  );
}
