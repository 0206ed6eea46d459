import { fault } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';

/** Single sign-on is off. Clients ask for it, and these routes tell them so. */
export const ssoRoutes = (): Route[] => [
  route({
    method: 'GET',
    path: '/sso',
    operation: 'sso.get',
    summary: 'Whether single sign-on is enabled',
    open: true,
    response: { status: 200, schema: Type.Object({ enabled: Type.Boolean() }) },
    handle: () => ({ status: 200, body: { enabled: false } }),
  }),
  refused('GET', '/sso/request', 'sso.request', 'Start single sign-on'),
  refused('POST', '/sso/callback', 'sso.callback', 'The response of an identity provider'),
];

const refused = (method: 'GET' | 'POST', path: string, operation: string, summary: string): Route => ({
  method,
  path,
  operation,
  summary,
  open: true,
  handle() {
    throw fault('auth.sso-off');
  },
});
