import { fault } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import { terminalProofSchema, tokenAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import { readTerminalLogin } from '../sso/terminal-login';
import { codePage, donePage } from '../sso/terminal-pages';
import { enabledSso, singleTexts, toProvider, type SsoRoutesDependencies } from './sso-routes';
import { tokenView } from './token-view';

/** The routes of `svc login --sso`. @param deps undefined while single sign-on is off */
export const terminalLoginRoutes = (deps: SsoRoutesDependencies | undefined): Route[] => [
  startTerminalLogin(deps),
  confirmTerminalLogin(deps),
  fetchToken(deps),
];

const text = { type: 'string' } as const;
const html = { status: 200, type: 'text/html' } as const;

const startTerminalLogin = (deps: SsoRoutesDependencies | undefined): Route =>
  route({
    method: 'GET',
    path: '/sso/terminal',
    operation: 'sso.terminal',
    summary: 'Start the single sign-on of svc login: prompts for its code, or redirects to the identity provider',
    open: true,
    query: { code: text, port: { type: 'integer' }, state: text, challenge: text },
    response: html,
    async handle(request) {
      const sso = enabledSso(deps);
      if (Object.values(request.query).every((value) => value === undefined)) return codePage();
      const terminal = readTerminalLogin(request.query);
      if (!terminal) throw fault('auth.sso-terminal-login', { expected: EXPECTED });
      return toProvider(sso, request, { terminal });
    },
  });

const EXPECTED = 'a code such as 7WGC-K2PD-09XM, or a port from 1 to 65535 with a state and a challenge';

const confirmTerminalLogin = (deps: SsoRoutesDependencies | undefined): Route =>
  route({
    method: 'POST',
    path: '/sso/terminal',
    operation: 'sso.terminal_confirm',
    summary: 'Confirm the single sign-on of svc login: the form of the page that asks for it',
    open: true,
    body: 'any',
    bodySchema: Type.Object({ secret: Type.String({ description: 'From the page' }) }),
    response: html,
    async handle(request) {
      const { grants, logger, clientAddress } = enabledSso(deps);
      const { user, address } = await grants.confirm(singleTexts(request.body)['secret'] ?? '');
      logger.audit('Terminal login confirmed.', { user, method: 'sso', address: clientAddress(request) });
      const page = address === undefined ? donePage(user) : { status: 303, headers: { Location: address } };
      return { ...page, loggedIn: { user, method: 'sso' } };
    },
  });

const fetchToken = (deps: SsoRoutesDependencies | undefined): Route =>
  route({
    method: 'POST',
    path: '/sso/terminal/token',
    operation: 'sso.terminal_token',
    summary: 'End the single sign-on of svc login: returns its token, once the user has confirmed the login',
    open: true,
    quiet: true,
    body: terminalProofSchema,
    response: { status: 201, schema: tokenAnswer },
    async handle(request) {
      const { identities, grants, logger, clientAddress } = enabledSso(deps);
      const { ttl: ttlSeconds, ...proof } = request.body;
      const user = await grants.redeem(proof);
      const address = clientAddress(request);
      const client = request.header('user-agent');
      const issued = await identities.tokens.issueToken({ user, ttlSeconds, address, client });
      const expiry = issued.expiry.toISOString();
      logger.audit('Token issued.', { user, caller: user, method: 'sso', expiry, address });
      return { status: 201, body: tokenView(issued), loggedIn: { user, method: 'sso' } };
    },
  });
