import { ANY_USER, route, type Requester, type Route } from '@switchyard/http';
import type { AccessControl } from '@switchyard/identity';
import { currentUserAnswer } from '@switchyard/model/resources';

const METHODS: Readonly<Record<Requester['method'], string>> = {
  token: 'authentication token',
  'api key': 'API key',
  password: 'password',
  signature: 'signature',
  none: 'none',
};

/** `GET /user`: the current user. */
export const userRoutes = (access: Pick<AccessControl, 'enabled' | 'rolesOf'>): Route[] => [
  route({
    method: 'GET',
    path: '/user',
    operation: 'user.get',
    summary: 'The current user, how they were authenticated, and their permissions',
    permission: ANY_USER,
    forRestricted: true,
    response: { status: 200, schema: currentUserAnswer },
    async handle({ requester: { user, method, location, isAdmin, tokenExpiry } }) {
      const roles = await access.rolesOf(user);
      return {
        status: 200,
        body: {
          username: user,
          authentication: {
            method: METHODS[method],
            location,
            ...(tokenExpiry ? { token_expire: wholeSeconds(tokenExpiry) } : {}),
          },
          rbac: { enabled: access.enabled, roles, is_admin: isAdmin },
        },
      };
    },
  }),
];

/** `2024-05-06T07:08:09Z` */
const wholeSeconds = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z');
