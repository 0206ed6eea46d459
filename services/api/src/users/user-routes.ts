import { fault } from '@switchyard/base';
import { ANY_USER, route, type Requester, type Route } from '@switchyard/http';
import type { AccessControl } from '@switchyard/identity';
import { permissionDescriptions, type HeldPermission } from '@switchyard/model';
import { currentUserAnswer, heldPermissionAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';

const METHODS: Readonly<Record<Requester['method'], string>> = {
  token: 'authentication token',
  'api key': 'API key',
  password: 'password',
  signature: 'signature',
  none: 'none',
};

type Access = Pick<AccessControl, 'enabled' | 'rolesOf' | 'visible'>;

export const userRoutes = (access: Access): Route[] => [currentUser(access), heldPermissions(access)];

const currentUser = (access: Access): Route =>
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
  });

/** For clients that offer only what a user may do. */
const heldPermissions = (access: Access): Route =>
  route({
    method: 'GET',
    path: '/user/permissions',
    operation: 'user.get_permissions',
    summary: 'The permissions of the current user, as far as the credential allows, or those of another user',
    permission: ANY_USER,
    forRestricted: true,
    query: { user: { type: 'string', description: 'Name of another user (administrators only)' } },
    response: { status: 200, schema: Type.Array(heldPermissionAnswer) },
    async handle({ requester, query }) {
      const { user = requester.user } = query;
      const isOther = user !== requester.user;
      if (isOther && !requester.isAdmin) throw fault('auth.administrators-only');
      const actor = isOther ? { user } : requester;
      const held = await Promise.all(
        Object.entries(permissionDescriptions).map(async ([type, description]): Promise<HeldPermission> => {
          const visible = await access.visible(actor, type);
          const everywhere = visible === 'all';
          return { permission_type: type, description, everywhere, resources: everywhere ? [] : [...visible] };
        }),
      );
      return { status: 200, body: held.filter(({ everywhere, resources }) => everywhere || resources.length > 0) };
    },
  });

/** `2024-05-06T07:08:09Z` */
const wholeSeconds = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z');
